/** What became of a command, in a sandbox or on the workspace itself. */
import type { CommandBoundary } from '../shell/boundary.ts';

/** A boundary: this tier cannot run it without touching what is real, or without showing the overlay. */
export type CommandOutcome = FinishedCommand | CommandBoundary;

export interface FinishedCommand {
  readonly kind: 'finished';
  /** As a shell reports it: 128 and the signal's number for a command that a signal ended. Absent where there is none. */
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

/** Whether a command did what it was run for. */
export function hasPassed(outcome: CommandOutcome): boolean {
  return outcome.kind === 'finished' && outcome.code === 0;
}

/** What a command printed: both streams, one after the other. */
export function outputOf({ stdout, stderr }: FinishedCommand): string {
  return [stdout, stderr].filter((stream) => stream !== '').join('\n');
}
