/**
 * Judges what several changes do together: each alone, every two of them, and the longest sequence that stays clean.
 *
 * Terms. A *side* is one change on the common target: a branch, a worktree, a session. Two sides *collide* textually if
 * their texts cannot be merged, and semantically if the merged text has errors that neither side has alone.
 *
 * Invariants:
 * M1. A semantic conflict was seen twice: it is an error that the merge introduces to each of the two sides.
 * M2. A pair is clean only if the merge was proved to introduce nothing to one of its sides, or both comparisons are
 *     complete and no error is in both.
 * M3. Every step of the train was judged as a whole, on top of the steps before it.
 */

import type { Finding, Verdict } from '../evaluation/evaluation.ts';
import type { OverlayCheck } from '../evaluation/evaluator.ts';
import { withUnjudged } from '../evaluation/local-evaluator.ts';
import type { UnjudgedFiles } from '../evaluation/server-assignment.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { type CollidingChange, collidingChange } from './colliding-change.ts';
import { largestAgreement } from './merge-train.ts';

/** The states that are judged. */
export interface MergeSource {
  /** The names of the sides. */
  readonly sides: readonly string[];
  /** The side `top` merged onto the target and the sides `below`, as an overlay on the state without it. */
  compose(below: readonly number[], top: number, signal: AbortSignal): Promise<Composition>;
}

export type Composition = Merged | { readonly kind: 'conflict'; readonly paths: readonly string[] };

interface Merged {
  readonly kind: 'merged';
  readonly overlay: Overlay;
  /** What the sides change and no server can judge; absent: nothing. */
  readonly unjudged?: readonly UnjudgedFiles[];
}

/** Judges what the uppermost layer of an overlay does to the one beneath it. */
export type JudgeLayer = (overlay: Overlay, signal: AbortSignal) => Promise<OverlayCheck>;

export interface MergeSide {
  readonly name: string;
  readonly alone: SideOutcome;
}

export type SideOutcome =
  | { readonly kind: 'judged'; readonly check: OverlayCheck }
  /** It does not merge with the target. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

export interface MergePair {
  /** Indexes of the sides; `one` is the smaller. */
  readonly one: number;
  readonly other: number;
  readonly outcome: PairOutcome;
}

export type PairOutcome =
  | { readonly kind: 'clean' }
  | { readonly kind: 'textual'; readonly paths: readonly string[] }
  | { readonly kind: 'semantic'; readonly conflicts: readonly SemanticConflict[] }
  | { readonly kind: 'unknown'; readonly why: readonly string[] };

export interface SemanticConflict {
  /** The error, at its place in the merged text. */
  readonly finding: Finding;
  /** What each side changed that it comes from; absent if no change of the side names anything of it. */
  readonly one: CollidingChange | undefined;
  readonly other: CollidingChange | undefined;
}

export interface MergeTrain {
  /** Indexes of the sides, in the order in which they merge cleanly. */
  readonly order: readonly number[];
  readonly leftOut: readonly { readonly side: number; readonly why: string }[];
}

export interface MergeEvaluation {
  readonly sides: readonly MergeSide[];
  readonly pairs: readonly MergePair[];
  readonly train: MergeTrain;
  readonly verdict: Verdict['kind'];
}

export interface MergeProgress {
  readonly done: number;
  readonly of: number;
  /** What was judged last. */
  readonly latest: JudgedPart;
}

export type JudgedPart =
  | { readonly kind: 'side'; readonly index: number; readonly side: MergeSide }
  | { readonly kind: 'pair'; readonly pair: MergePair };

export interface MergeJudging {
  readonly judge: JudgeLayer;
  readonly onProgress: (progress: MergeProgress) => void;
  /** How many sides or pairs are judged at once; absent: one after the other. */
  readonly parallel?: number | undefined;
}

export async function evaluateMerge(
  source: MergeSource,
  { judge, onProgress, parallel = 1 }: MergeJudging,
  signal: AbortSignal,
): Promise<MergeEvaluation> {
  const count = source.sides.length;
  const of = count + (count * (count - 1)) / 2;
  let done = 0;
  const step = (latest: JudgedPart) => onProgress({ done: ++done, of, latest });
  const sides = await mapConcurrently([...source.sides.entries()], parallel, async ([index, name]) => {
    const side: MergeSide = { name, alone: await sideOutcome(source, index, judge, signal) };
    step({ kind: 'side', index, side });
    return side;
  });
  const pairs = await mapConcurrently(pairsOf(count), parallel, async ([one, other]) => {
    const outcome = await pairOutcome(source, sides, [one, other], judge, signal);
    const pair: MergePair = { one, other, outcome };
    step({ kind: 'pair', pair });
    return pair;
  });
  const train = await longestTrain(source, { sides, pairs }, judge, signal);
  return { sides, pairs, train, verdict: wholeVerdict(sides, pairs, train) };
}

function pairsOf(count: number): readonly (readonly [one: number, other: number])[] {
  const indexes = Array.from({ length: count }, (_, index) => index);
  return indexes.flatMap((one) => indexes.slice(one + 1).map((other) => [one, other] as const));
}

async function sideOutcome(
  source: MergeSource,
  side: number,
  judge: JudgeLayer,
  signal: AbortSignal,
): Promise<SideOutcome> {
  const composed = await source.compose([], side, signal);
  if (composed.kind === 'conflict') return composed;
  return { kind: 'judged', check: await judged(composed, judge, signal) };
}

async function judged(
  { overlay, unjudged = [] }: Merged,
  judge: JudgeLayer,
  signal: AbortSignal,
): Promise<OverlayCheck> {
  return withUnjudged(await judge(overlay, signal), unjudged);
}

async function pairOutcome(
  source: MergeSource,
  sides: readonly MergeSide[],
  [one, other]: readonly [number, number],
  judge: JudgeLayer,
  signal: AbortSignal,
): Promise<PairOutcome> {
  const apart = [one, other].filter((side) => sides[side]?.alone.kind === 'conflict');
  if (apart.length > 0) {
    return {
      kind: 'unknown',
      why: apart.map((side) => `${sides[side]?.name} does not merge with the target`),
    };
  }
  const onOne = await source.compose([one], other, signal);
  if (onOne.kind === 'conflict') return { kind: 'textual', paths: onOne.paths };
  const first = await judged(onOne, judge, signal);
  if (first.verdict.kind === 'clean') return { kind: 'clean' };
  const onOther = await source.compose([other], one, signal);
  if (onOther.kind === 'conflict') return { kind: 'textual', paths: onOther.paths };
  const second = await judged(onOther, judge, signal);
  if (second.verdict.kind === 'clean') return { kind: 'clean' };
  const shared = errorsInBoth(first, second);
  if (shared.length === 0) {
    const why = [first, second].flatMap(doubtsOf);
    return why.length === 0 ? { kind: 'clean' } : { kind: 'unknown', why: [...new Set(why)] };
  }
  // The layer on top of `other` holds what `one` changes, and the other way round.
  const changes = { one: await onOther.overlay.changes(), other: await onOne.overlay.changes() };
  const conflicts = shared.map(async (finding) => {
    const content = await onOne.overlay.read(finding.path);
    const place = { finding, text: content?.kind === 'text' ? content.text : '' };
    return {
      finding,
      one: collidingChange(changes.one, place),
      other: collidingChange(changes.other, place),
    };
  });
  return { kind: 'semantic', conflicts: await Promise.all(conflicts) };
}

/** Both checks are about the same merged text, so that an error in both has the same place and the same words. */
function errorsInBoth(first: OverlayCheck, second: OverlayCheck): readonly Finding[] {
  const known = new Set(errorsOf(second).map(keyOf));
  return errorsOf(first).filter((finding) => known.has(keyOf(finding)));
}

function errorsOf({ evaluations }: OverlayCheck): readonly Finding[] {
  return evaluations
    .flatMap(({ introduced }) => introduced)
    .filter(({ diagnostic }) => diagnostic.severity === 'error');
}

function keyOf({ path, diagnostic: { range, code, message } }: Finding): string {
  return JSON.stringify([path, range, code, message]);
}

/** Why the absence of errors is not proved by a check; empty if it is. */
function doubtsOf({ evaluations, unjudged }: OverlayCheck): readonly string[] {
  return [
    ...unjudged.map(({ paths, reason }) => `${paths.join(', ')}: ${reason}`),
    ...evaluations
      .filter(({ confidence, baselineConfidence }) => confidence !== 'high' || baselineConfidence !== 'high')
      .flatMap(({ doubts }) => (doubts.length > 0 ? doubts : ['the comparison is not complete'])),
  ];
}

/** Sides that are clean alone and in pairs are merged one after the other; one that breaks the sequence is left out. */
async function longestTrain(
  source: MergeSource,
  { sides, pairs }: { readonly sides: readonly MergeSide[]; readonly pairs: readonly MergePair[] },
  judge: JudgeLayer,
  signal: AbortSignal,
): Promise<MergeTrain> {
  const isClean = ({ alone }: MergeSide) => alone.kind === 'judged' && alone.check.verdict.kind === 'clean';
  const fit = sides.flatMap((side, index) => (isClean(side) ? [index] : []));
  const agrees = new Set(
    pairs.flatMap(({ one, other, outcome }) => (outcome.kind === 'clean' ? [`${one} ${other}`] : [])),
  );
  const chosen = largestAgreement(fit, (one, other) => agrees.has(`${one} ${other}`));
  const order: number[] = [];
  const broke = new Map<number, string>();
  for (const side of chosen) {
    const why = order.length < 2 ? undefined : await refusal(source, { below: order, side }, judge, signal);
    if (why === undefined) order.push(side);
    else broke.set(side, why);
  }
  const leftOut = sides.flatMap((_, side) =>
    order.includes(side) ? [] : [{ side, why: broke.get(side) ?? whyNot({ sides, pairs }, order, side) }],
  );
  return { order, leftOut };
}

async function refusal(
  source: MergeSource,
  { below, side }: { readonly below: readonly number[]; readonly side: number },
  judge: JudgeLayer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const composed = await source.compose(below, side, signal);
  if (composed.kind === 'conflict') return `textual conflict with the others in ${composed.paths.join(', ')}`;
  const { verdict } = await judged(composed, judge, signal);
  if (verdict.kind === 'clean') return undefined;
  return verdict.kind === 'broken'
    ? `breaks ${verdict.in.join(', ')} on top of the others`
    : 'not proved clean on top of the others';
}

function whyNot(
  { sides, pairs }: { readonly sides: readonly MergeSide[]; readonly pairs: readonly MergePair[] },
  order: readonly number[],
  side: number,
): string {
  const alone = sides[side]?.alone;
  if (alone?.kind === 'conflict') return `textual conflict with the target in ${alone.paths.join(', ')}`;
  if (alone && alone.check.verdict.kind !== 'clean') return `${alone.check.verdict.kind} alone`;
  const names = pairs.flatMap(({ one, other, outcome }) => {
    const partner = one === side ? other : other === side ? one : undefined;
    if (partner === undefined || !order.includes(partner) || outcome.kind === 'clean') return [];
    return [`${reasons[outcome.kind]} ${sides[partner]?.name}`];
  });
  return names.join(', ');
}

const reasons: Readonly<Record<Exclude<PairOutcome['kind'], 'clean'>, string>> = {
  textual: 'textual conflict with',
  semantic: 'semantic conflict with',
  unknown: 'not proved clean with',
};

function wholeVerdict(
  sides: readonly MergeSide[],
  pairs: readonly MergePair[],
  train: MergeTrain,
): Verdict['kind'] {
  if (train.order.length === sides.length) return 'clean';
  const isBroken =
    sides.some(({ alone }) => alone.kind === 'conflict' || alone.check.verdict.kind === 'broken') ||
    pairs.some(({ outcome }) => outcome.kind === 'textual' || outcome.kind === 'semantic') ||
    train.leftOut.some(({ why }) => why.startsWith('breaks') || why.startsWith('textual'));
  return isBroken ? 'broken' : 'unknown';
}
