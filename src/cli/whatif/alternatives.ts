/**
 * Judges several patches at once, each as if it were the only one, and puts the best first.
 *
 * Invariant: no patch is judged on top of another, and one that cannot be judged never stands before one that was.
 */
import { Failure } from '../../base/failure.ts';
import { type FilePatch, parseUnifiedDiff } from '../../text/unified-diff.ts';
import type { House } from '../house.ts';
import { checkPatch, type PatchCheck, type PatchRequest } from './patch-check.ts';

export interface NamedPatch {
  readonly name: string;
  /** Its text, or why it cannot be had. */
  readonly text: string | Failure;
}

/** One of several patches, and what became of it. */
export interface RankedPatch {
  readonly name: string;
  /** From 1; patches that nothing tells apart share a rank. */
  readonly rank: number;
  readonly outcome: PatchOutcome;
}

export type PatchOutcome =
  | {
      readonly kind: 'judged';
      readonly check: PatchCheck;
      readonly introducedErrors: number;
      readonly resolved: number;
      /** Lines added and removed, as the patch counts them. */
      readonly lines: { readonly added: number; readonly removed: number };
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

export async function checkAlternatives(
  house: House,
  { patches, ...request }: Omit<PatchRequest, 'patch'> & { readonly patches: readonly NamedPatch[] },
  signal: AbortSignal,
): Promise<readonly RankedPatch[]> {
  let done = 0;
  const judged = await Promise.all(
    patches.map(async ({ name, text }) => {
      const onProgress = (message: string) =>
        request.onProgress(`${done} of ${patches.length} judged; ${name}: ${message}`);
      const outcome = await judge(house, { ...request, onProgress, text }, signal);
      done += 1;
      request.onProgress(`${done} of ${patches.length} judged`);
      return { name, outcome };
    }),
  );
  return rank(judged);
}

function rank(judged: readonly Omit<RankedPatch, 'rank'>[]): readonly RankedPatch[] {
  const ranked: RankedPatch[] = [];
  for (const [place, each] of [...judged].sort(compare).entries()) {
    const above = ranked.at(-1);
    const isTied = above !== undefined && compare(above, each) === 0;
    ranked.push({ ...each, rank: isTied ? above.rank : place + 1 });
  }
  return ranked;
}

async function judge(
  house: House,
  { text, ...request }: Omit<PatchRequest, 'patch'> & Pick<NamedPatch, 'text'>,
  signal: AbortSignal,
): Promise<PatchOutcome> {
  if (text instanceof Failure) return { kind: 'failed', failure: text };
  try {
    const check = await checkPatch(house, { ...request, patch: text }, signal);
    const findings = check.evaluations.flatMap(({ introduced }) => introduced);
    return {
      kind: 'judged',
      check,
      introducedErrors: findings.filter(({ diagnostic }) => diagnostic.severity === 'error').length,
      resolved: check.evaluations.reduce((sum, { resolved }) => sum + resolved.length, 0),
      lines: linesOf(parseUnifiedDiff(text)),
    };
  } catch (thrown) {
    // The others are judged all the same.
    if (!(thrown instanceof Failure)) throw thrown;
    return { kind: 'failed', failure: thrown };
  }
}

/** Fewest errors first; of those the proved, then what mends most, then what changes least. */
function compare(a: { readonly outcome: PatchOutcome }, b: { readonly outcome: PatchOutcome }): number {
  const [left, right] = [a.outcome, b.outcome];
  if (left.kind === 'failed' || right.kind === 'failed') {
    return Number(left.kind === 'failed') - Number(right.kind === 'failed');
  }
  return (
    left.introducedErrors - right.introducedErrors ||
    Number(left.check.verdict.kind === 'unknown') - Number(right.check.verdict.kind === 'unknown') ||
    right.resolved - left.resolved ||
    sizeOf(left) - sizeOf(right)
  );
}

function sizeOf({ lines }: PatchOutcome & { readonly kind: 'judged' }): number {
  return lines.added + lines.removed;
}

function linesOf(patches: readonly FilePatch[]): { readonly added: number; readonly removed: number } {
  const lines = patches.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  return {
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  };
}
