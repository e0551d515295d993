/**
 * What an answer says of the diagnostics it rests on.
 *
 * Invariant: an answer whose diagnostics did not settle says so; it is never left to look clean.
 */
import { type FileDiagnostics, isProved } from '../servers/proof.ts';
import type { ToolResult } from './tool-result.ts';

/** Metadata for diagnostics that lack proof; nothing for those that have it. */
export function settlingDoubt(answers: readonly FileDiagnostics[]): Pick<ToolResult, 'meta'> {
  if (answers.every((answer) => isProved(answer.proof))) return {};
  const isTimedOut = answers.some((answer) => answer.proof.kind === 'none');
  return { meta: { diagnostics: isTimedOut ? { timed_out: true } : { settled_by: 'quiet' } } };
}
