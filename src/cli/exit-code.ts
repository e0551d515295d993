/**
 * Exit codes and the text of failures.
 *
 * Invariant: 0 is returned only for a proved good result; a failure or an unproved result is 2.
 */
import { Failure, messageOf } from '../base/failure.ts';

/** `usage` is EX_USAGE of sysexits.h, so that a mistyped flag is never read as a verdict. */
export const exitCodes = { good: 0, bad: 1, unknown: 2, usage: 64 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure for a terminal: its message, and the remedy below it. */
export function failureText(thrown: unknown): string {
  const sentence = `forerun: ${messageOf(thrown)}`;
  return thrown instanceof Failure ? `${sentence}\n  ${thrown.remedy} [${thrown.code}]\n` : `${sentence}\n`;
}
