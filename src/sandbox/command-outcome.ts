/** What became of a command in a sandbox. */

export type CommandOutcome = FinishedCommand | CommandBoundary;

export interface FinishedCommand {
  readonly kind: 'finished';
  /** As a shell tells it: 128 and the signal's number for a command a signal ended. Absent when we ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether either stream was longer than asked for; its middle is left out then. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** Whether nothing more could be written at its end: the sandbox has a limit of its own. */
  readonly diskFull: boolean;
  readonly durationMs: number;
}

/** The command was not run: this tier cannot run it without touching what is real, or without showing the overlay. */
export interface CommandBoundary {
  readonly kind: 'boundary';
  /** The rule it fell under, by its name. */
  readonly rule: string;
  readonly why: string;
}

/** Whether a command did what it was run for. */
export function hasPassed(outcome: CommandOutcome): boolean {
  return outcome.kind === 'finished' && outcome.code === 0;
}
