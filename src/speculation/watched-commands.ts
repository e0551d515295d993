/**
 * The commands of one speculation: run in isolation, and checked for effects that cannot be accepted.
 *
 * Invariant: a command that the sandbox refuses or fails to run, that changed files although the user has not allowed
 * edits, or that left files an acceptance cannot include, ends the speculation at a boundary and leaves nothing in
 * its files and messages. After acceptance it runs again like any command of a live turn.
 */
import type { CommandRequest, CommandRun, CommandRunner } from '../agent/command-runner.ts';
import { messageOf } from '../base/failure.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Boundary } from './engine/boundary.ts';
import type { RanCommand } from './engine/offer.ts';

export interface WatchedCommandsOptions {
  readonly runner: CommandRunner;
  readonly edits: 'allowed' | 'asked';
  /** Freezes the base of the files that a command changed. */
  readonly freeze: (request: CommandRequest, changed: Overlay) => Promise<void>;
  /** Ends the speculation. */
  readonly stop: (boundary: Boundary) => void;
}

export class WatchedCommands implements CommandRunner {
  readonly ran: RanCommand[] = [];
  /** The calls whose command ended, with any exit code. */
  readonly answered = new Set<string>();
  readonly #options: WatchedCommandsOptions;

  constructor(options: WatchedCommandsOptions) {
    this.#options = options;
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandRun> {
    const { edits, freeze, stop } = this.#options;
    const { callId, command } = request;
    const boundary = { kind: 'bash', tool: 'Bash', detail: command } as const;
    const outcome = await this.#outcome(request, signal);
    if (outcome.kind === 'boundary') {
      stop(boundary);
      return outcome;
    }
    if (outcome.overlay && edits === 'asked') {
      stop(boundary);
      return refusal('edits', 'The command changes files, which the user is asked about.');
    }
    const ran: RanCommand = { command, outcome: outcome.code === 0 ? 'passed' : 'failed' };
    if (outcome.lost) {
      this.ran.push(ran);
      stop({ ...boundary, lost: outcome.lost });
      return refusal(
        'lost-files',
        'The command wrote files that an acceptance cannot include; it must run again.',
      );
    }
    if (outcome.overlay) await freeze(request, outcome.overlay);
    this.answered.add(callId);
    this.ran.push(ran);
    return outcome;
  }

  /** A failed sandbox shows nothing about the command, and its changes cannot be read. */
  async #outcome(request: CommandRequest, signal: AbortSignal): Promise<CommandRun> {
    const { runner } = this.#options;
    try {
      return await runner.run(request, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      return refusal('sandbox-failed', messageOf(thrown));
    }
  }
}

function refusal(rule: string, why: string): CommandRun {
  return { kind: 'boundary', rule, why };
}
