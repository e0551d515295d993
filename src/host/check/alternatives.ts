/**
 * Judges several patches in parallel, each on its own, and ranks them.
 *
 * Invariant: no patch is judged on top of another, and one that cannot be judged never ranks before one that was.
 */
import { Failure } from '../../base/failure.ts';
import { type Merit, meritOf, rankBy } from '../../evaluation/ranking.ts';
import type { Forerun } from '../forerun.ts';
import { checkPatch, type PatchCheck, type PatchRequest } from './patch-check.ts';

export interface NamedPatch {
  readonly name: string;
  /** Its text, or why it is not available. */
  readonly text: string | Failure;
}

/** One of several patches, and its result. */
export interface RankedPatch {
  readonly name: string;
  /** From 1; equal patches share a rank. */
  readonly rank: number;
  readonly outcome: PatchOutcome;
}

export type PatchOutcome =
  | { readonly kind: 'judged'; readonly check: PatchCheck; readonly merit: Merit }
  | { readonly kind: 'failed'; readonly failure: Failure };

export async function checkAlternatives(
  forerun: Forerun,
  { patches, ...request }: Omit<PatchRequest, 'patch'> & { readonly patches: readonly NamedPatch[] },
  signal: AbortSignal,
): Promise<readonly RankedPatch[]> {
  let done = 0;
  const judged = await Promise.all(
    patches.map(async ({ name, text }) => {
      const onProgress = (message: string) =>
        request.onProgress(`${done} of ${patches.length} judged; ${name}: ${message}`);
      const outcome = await judge(forerun, { ...request, onProgress, text }, signal);
      done += 1;
      request.onProgress(`${done} of ${patches.length} judged`);
      return { name, outcome };
    }),
  );
  return rankBy(judged, ({ outcome }) => (outcome.kind === 'judged' ? outcome.merit : undefined));
}

async function judge(
  forerun: Forerun,
  { text, ...request }: Omit<PatchRequest, 'patch'> & Pick<NamedPatch, 'text'>,
  signal: AbortSignal,
): Promise<PatchOutcome> {
  if (text instanceof Failure) return { kind: 'failed', failure: text };
  try {
    const check = await checkPatch(forerun, { ...request, patch: text }, signal);
    const merit = meritOf(check.verdict.kind, check.evaluations, await check.overlay.changes());
    return { kind: 'judged', check, merit };
  } catch (thrown) {
    // The others are still judged.
    if (!(thrown instanceof Failure)) throw thrown;
    return { kind: 'failed', failure: thrown };
  }
}
