/**
 * Runs the commands of a chat where its agent's text is: on the disk or, while some of it is only proposed or unsaved,
 * in a sandbox that shows it.
 *
 * Invariant: a command never tests other text than the agent sees.
 */
import type { CommandRequest, CommandRun, CommandRunner } from '../../agent/command-runner.ts';

export interface ChatCommandsParts {
  readonly disk: CommandRunner;
  readonly sandbox: CommandRunner;
  readonly hasUnwritten: () => boolean;
}

export class ChatCommands implements CommandRunner {
  readonly #parts: ChatCommandsParts;

  constructor(parts: ChatCommandsParts) {
    this.#parts = parts;
  }

  run(request: CommandRequest, signal: AbortSignal): Promise<CommandRun> {
    const { disk, sandbox, hasUnwritten } = this.#parts;
    return (hasUnwritten() ? sandbox : disk).run(request, signal);
  }
}
