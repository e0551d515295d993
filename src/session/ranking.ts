/** Putting alternatives in order: which of several sessions does the least harm? */
import type { Evaluation } from './evaluation.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface EvaluatedSession {
  readonly id: string;
  /** How many files the session changes; of two that are equally good, the smaller change is better. */
  readonly files: number;
  readonly evaluation: Evaluation;
}

export interface RankedSession extends EvaluatedSession {
  readonly verdict: Verdict;
  /** From 1; sessions that nothing tells apart share a rank. */
  readonly rank: number;
}

const order: Readonly<Record<Verdict['kind'], number>> = { clean: 0, unknown: 1, broken: 2 };

export function rank(sessions: readonly EvaluatedSession[]): readonly RankedSession[] {
  const judged = sessions.map((session) => ({ ...session, verdict: verdictOf(session.evaluation) }));
  const sorted = judged.sort(compare);
  const ranked: RankedSession[] = [];
  for (const [index, session] of sorted.entries()) {
    const above = ranked.at(-1);
    const isTied = above !== undefined && compare(above, session) === 0;
    ranked.push({ ...session, rank: isTied ? above.rank : index + 1 });
  }
  return ranked;
}

type Judged = EvaluatedSession & { readonly verdict: Verdict };

function compare(a: Judged, b: Judged): number {
  return (
    order[a.verdict.kind] - order[b.verdict.kind] ||
    a.evaluation.errorsDelta - b.evaluation.errorsDelta ||
    a.evaluation.netDelta - b.evaluation.netDelta ||
    a.files - b.files
  );
}
