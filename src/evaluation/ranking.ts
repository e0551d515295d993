/**
 * Ranks alternatives: which of several changes does the least harm?
 *
 * Invariant: one order for every caller (docs/decisions/0017): clean before unknown before broken; then fewer
 * introduced errors, then more resolved findings, then fewer changed lines. Equal alternatives share a rank.
 */

import type { FileChange } from '../overlay/overlay.ts';
import { compareLines } from '../text/diff.ts';
import type { Evaluation, Verdict } from './evaluation.ts';

/** A session and its rank. */
export interface RankedSession {
  readonly id: string;
  readonly evaluation: Evaluation;
  readonly verdict: Verdict;
  /** From 1; equal sessions share a rank. */
  readonly rank: number;
}

/** What decides the rank of an alternative. */
export interface Merit {
  readonly verdict: Verdict['kind'];
  readonly introducedErrors: number;
  readonly resolved: number;
  readonly lines: ChangedLines;
}

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** An alternative and its rank, from 1. */
export type Ranked<T> = T & { readonly rank: number };

/** Best first. An alternative without a merit could not be judged and comes last. */
export function rankBy<T>(
  alternatives: readonly T[],
  meritOf: (alternative: T) => Merit | undefined,
): Ranked<T>[] {
  const judged = alternatives.map((alternative) => ({ alternative, merit: meritOf(alternative) }));
  const ranked: { merit: Merit | undefined; placed: Ranked<T> }[] = [];
  for (const [index, { alternative, merit }] of judged.sort((a, b) => compare(a.merit, b.merit)).entries()) {
    const above = ranked.at(-1);
    const isTied = above !== undefined && compare(above.merit, merit) === 0;
    ranked.push({ merit, placed: { ...alternative, rank: isTied ? above.placed.rank : index + 1 } });
  }
  return ranked.map(({ placed }) => placed);
}

export function meritOf(
  verdict: Verdict['kind'],
  evaluations: readonly Evaluation[],
  changes: readonly FileChange[],
): Merit {
  const introduced = evaluations.flatMap((evaluation) => evaluation.introduced);
  return {
    verdict,
    introducedErrors: introduced.filter(({ diagnostic }) => diagnostic.severity === 'error').length,
    resolved: evaluations.reduce((sum, evaluation) => sum + evaluation.resolved.length, 0),
    lines: changedLines(changes),
  };
}

const order: Readonly<Record<Verdict['kind'], number>> = { clean: 0, unknown: 1, broken: 2 };

function compare(a: Merit | undefined, b: Merit | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return (
    order[a.verdict] - order[b.verdict] ||
    a.introducedErrors - b.introducedErrors ||
    b.resolved - a.resolved ||
    sizeOf(a.lines) - sizeOf(b.lines)
  );
}

function sizeOf({ added, removed }: ChangedLines): number {
  return added + removed;
}

/** Lines of text added and removed; other contents have none. */
function changedLines(changes: readonly FileChange[]): ChangedLines {
  let [added, removed] = [0, 0];
  for (const { before, after } of changes) {
    const [old, now] = [before, after].map((content) => (content?.kind === 'text' ? content.text : ''));
    for (const { oldStart, oldEnd, newStart, newEnd } of compareLines(old ?? '', now ?? '')) {
      removed += oldEnd - oldStart;
      added += newEnd - newStart;
    }
  }
  return { added, removed };
}
