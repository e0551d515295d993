/**
 * The note about unsettled diagnostics in an answer.
 *
 * Invariant: an answer whose diagnostics did not settle says so and never looks clean.
 */
import { type FileDiagnostics, isProved } from '../servers/proof.ts';
import type { ToolResult } from './tool-result.ts';

/** Metadata for diagnostics without proof; empty for proved ones. */
export function settlingDoubt(answers: readonly FileDiagnostics[]): Pick<ToolResult, 'meta'> {
  if (answers.every((answer) => isProved(answer.proof))) return {};
  const isTimedOut = answers.some((answer) => answer.proof.kind === 'none');
  return { meta: { diagnostics: isTimedOut ? { timed_out: true } : { settled_by: 'quiet' } } };
}
