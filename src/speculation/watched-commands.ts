/**
 * The commands of one speculation: run where nothing they do is real, and watched for what must not be run ahead.
 *
 * Invariant: a command that the sandbox refuses or fails to run, that changed files where the user has not allowed
 * edits, or that left files which an acceptance cannot bring along, ends the speculation at a boundary and leaves
 * nothing in its files and messages: once accepted, it runs again as any command of a live turn does.
 */
import type { CommandRequest, CommandRun, CommandRunner } from '../agent/command-runner.ts';
import { messageOf } from '../base/failure.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Boundary } from './engine/boundary.ts';
import type { RanCommand } from './engine/offer.ts';

export interface WatchedCommandsOptions {
  readonly runner: CommandRunner;
  readonly edits: 'allowed' | 'asked';
  /** Holds on to what a command changed files of. */
  readonly freeze: (request: CommandRequest, changed: Overlay) => Promise<void>;
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
      return refusal('lost-files', 'The command wrote files that cannot be kept; it must run again.');
    }
    if (outcome.overlay) await freeze(request, outcome.overlay);
    this.answered.add(callId);
    this.ran.push(ran);
    return outcome;
  }

  /** A sandbox that fails has shown nothing about the command, and may hold changes that nobody can read. */
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
