/** The outcome of a command, in a sandbox or on the workspace itself. */
import type { CommandBoundary } from '../shell/boundary.ts';

/** A boundary: this tier cannot run the command without changing real files, or without hiding the overlay. */
export type CommandOutcome = FinishedCommand | CommandBoundary;

export interface FinishedCommand {
  readonly kind: 'finished';
  /**
   * As a shell reports it: 128 plus the signal number for a command that a signal terminated. Absent if there is
   * none.
   */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether either stream exceeded its limit; its middle is then omitted. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** Whether the disk space of the sandbox was used up when the command ended. */
  readonly diskFull: boolean;
  readonly durationMs: number;
}

/** Whether a command succeeded. */
export function hasPassed(outcome: CommandOutcome): boolean {
  return outcome.kind === 'finished' && outcome.code === 0;
}

/** The output of a command: both streams, one after the other. */
export function outputOf({ stdout, stderr }: FinishedCommand): string {
  return [stdout, stderr].filter((stream) => stream !== '').join('\n');
}
