/**
 * The commands of one speculation: run where nothing they do is real, and watched for what must not be run ahead.
 *
 * Invariant: a command that the sandbox refuses, or that changed files where the user has not allowed edits, ends the
 * speculation at a boundary and leaves nothing in its files.
 */
import type { CommandOutcome, CommandRequest, CommandRunner } from '../agent/command-runner.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Boundary } from './boundary.ts';
import type { RanCommand } from './offer.ts';

export interface WatchedCommandsOptions {
  readonly runner: CommandRunner;
  readonly edits: 'allowed' | 'asked';
  /** Holds on to what a command changed files of. */
  readonly freeze: (request: CommandRequest, changed: Overlay) => Promise<void>;
  /** The call the command belongs to. */
  readonly callId: () => string | undefined;
  /** Ends the speculation. */
  readonly stop: (boundary: Boundary) => void;
}

export class WatchedCommands implements CommandRunner {
  readonly ran: RanCommand[] = [];
  /** The calls whose command ran to an end, good or bad. */
  readonly answered = new Set<string>();
  readonly #options: WatchedCommandsOptions;

  constructor(options: WatchedCommandsOptions) {
    this.#options = options;
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
    const { runner, edits, freeze, stop, callId } = this.#options;
    const { command } = request;
    const outcome = await runner.run(request, signal);
    if (outcome.kind === 'refused') {
      stop({ kind: 'bash', tool: 'Bash', detail: command });
      return outcome;
    }
    if (outcome.overlay && edits === 'asked') {
      stop({ kind: 'bash', tool: 'Bash', detail: command });
      return { kind: 'refused', reason: 'The command changes files, which the user is asked about.' };
    }
    if (outcome.overlay) await freeze(request, outcome.overlay);
    const id = callId();
    if (id !== undefined) this.answered.add(id);
    this.ran.push({ command, outcome: outcome.exitCode === 0 ? 'passed' : 'failed' });
    return outcome;
  }
}
