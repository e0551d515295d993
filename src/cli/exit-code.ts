/**
 * What the process tells its caller.
 *
 * Invariant: 0 is said only of something proved good; what failed or could not be proved is 2.
 */
import { Failure, messageOf } from '../base/failure.ts';

/** `usage` is EX_USAGE of sysexits.h, so that a mistyped flag is never taken for a verdict. */
export const exitCodes = { good: 0, bad: 1, unknown: 2, usage: 64 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure as the terminal shows it: the sentence, and under it what to do. */
export function failureText(thrown: unknown): string {
  const sentence = `forerun: ${messageOf(thrown)}`;
  return thrown instanceof Failure ? `${sentence}\n  ${thrown.remedy} [${thrown.code}]\n` : `${sentence}\n`;
}
