/**
 * How far an evaluation can be trusted, and why not further.
 *
 * Invariant: the confidence is the lowest that any doubt allows, in whatever order the doubts are listed; `high`
 * means that there is none. Each doubt is a sentence for the reader.
 */

import type { FileDiagnostics } from '../servers/proof.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Confidence, Evaluation } from './evaluation.ts';

/** A reason to trust an evaluation less. */
export interface Doubt {
  readonly kind: DoubtKind;
  readonly sentence: string;
}

/**
 * The confidence that each kind of doubt allows, the mildest first. A doubt about the baseline has a field of its
 * own.
 */
const leaves = {
  'baseline-unmeasured': 'high',
  'incomplete-reach': 'eventual',
  'disk-unwatched': 'eventual',
  'no-proof': 'partial',
  'no-answer': 'partial',
  'compiler-stopped': 'partial',
  'changed-underneath': 'partial',
  'beyond-scope': 'partial',
  unchecked: 'partial',
  'cut-short': 'partial',
  'disk-moved': 'partial',
  'server-busy': 'low',
  'blind-spot': 'low',
  'half-checked': 'low',
} as const satisfies Readonly<Record<string, Confidence>>;

export type DoubtKind = keyof typeof leaves;

/** Doubts about the absence of errors: an error that was found is valid, whatever else the server may have missed. */
const ofAbsence: ReadonlySet<DoubtKind> = new Set(['server-busy', 'blind-spot', 'half-checked']);

/** From the best to the worst. */
const grades: readonly Confidence[] = ['high', 'eventual', 'partial', 'low'];

type Trust = Pick<Evaluation, 'confidence' | 'baselineConfidence' | 'doubts'>;

/** `errors` says whether the change introduces any. */
export function trustIn(doubts: readonly Doubt[], errors: 'introduced' | 'none'): Trust {
  const held = doubts.filter(({ kind }) => errors === 'none' || !ofAbsence.has(kind));
  const worst = Math.max(0, ...held.map(({ kind }) => grades.indexOf(leaves[kind])));
  return {
    confidence: grades[worst] ?? 'low',
    doubts: held.map(({ sentence }) => sentence),
    baselineConfidence: held.some(({ kind }) => kind === 'baseline-unmeasured') ? 'partial' : 'high',
  };
}

/** Doubts about the server's answers after the change. */
export function doubtsOfAnswers(after: readonly FileDiagnostics[]): readonly Doubt[] {
  const late = unanswered(after, 'timeout');
  const refused = unanswered(after, 'refused');
  return [
    ...doubtIf(late.length > 0, 'no-answer', `No answer in time for ${names(late)}.`),
    ...doubtIf(refused.length > 0, 'no-answer', `The server would not answer for ${names(refused)}.`),
    ...failures(after).map((why): Doubt => {
      return { kind: 'compiler-stopped', sentence: `The compiler did not check everything: ${why}.` };
    }),
  ];
}

/** Files that the server did not check to their end. */
export function doubtsOfCut(after: readonly FileDiagnostics[]): readonly Doubt[] {
  const cut = after.filter(({ isCut }) => isCut);
  const sentence = `The server stopped before the end of ${names(cut)}; more errors may follow.`;
  return doubtIf(cut.length > 0, 'cut-short', sentence);
}

/** Answers without proof, before or after the change. */
export function doubtsOfProof(answers: readonly FileDiagnostics[]): readonly Doubt[] {
  const { length } = answers.filter(({ proof }) => proof.kind === 'quiet');
  const sentence = `The server offers no proof; ${length} answers were taken after a quiet window.`;
  return doubtIf(length > 0, 'no-proof', sentence);
}

/** Files whose diagnostics before the change are not known. */
export function doubtsOfBaseline(before: readonly FileDiagnostics[]): readonly Doubt[] {
  const unmeasured = before.filter(({ proof, isCut }) => proof.kind === 'none' || isCut === true);
  const sentence = `The baseline of ${names(unmeasured)} could not be measured.`;
  return doubtIf(unmeasured.length > 0, 'baseline-unmeasured', sentence);
}

export function doubtsOfReach({
  complete,
  why = 'Files outside the evaluated set may be affected.',
}: {
  readonly complete: boolean;
  readonly why?: string;
}): readonly Doubt[] {
  return doubtIf(!complete, 'incomplete-reach', why);
}

/** Edited files whose content on disk is no longer the one the edits were made on. */
export function doubtsOfDisturbance(paths: readonly WorkspacePath[]): readonly Doubt[] {
  const sentence = `Changed on disk since the session read them: ${paths.join(', ')}.`;
  return doubtIf(paths.length > 0, 'changed-underneath', sentence);
}

/** Edited files that affect others than the evaluated ones. */
export function doubtsOfScope(paths: readonly WorkspacePath[]): readonly Doubt[] {
  const sentence = `What ${paths.join(', ')} means for other files shows in workspace scope only.`;
  return doubtIf(paths.length > 0, 'beyond-scope', sentence);
}

/** The sentences that do not depend on the files. */
const standingDoubts = {
  'disk-unwatched': 'The disk is not watched; changes made there by others may have gone unnoticed.',
  'disk-moved': 'Files on disk changed during the evaluation.',
  'server-busy': 'The server was still loading or indexing when it answered.',
  'half-checked':
    'The server knows less than the compiler, which checks in workspace scope and where it is installed.',
} as const satisfies Partial<Record<DoubtKind, string>>;

export function standingDoubt(holds: boolean, kind: keyof typeof standingDoubts): readonly Doubt[] {
  return doubtIf(holds, kind, standingDoubts[kind]);
}

function doubtIf(holds: boolean, kind: DoubtKind, sentence: string): readonly Doubt[] {
  return holds ? [{ kind, sentence }] : [];
}

function unanswered(
  answers: readonly FileDiagnostics[],
  reason: 'timeout' | 'refused',
): readonly FileDiagnostics[] {
  return answers.filter(({ proof }) => proof.kind === 'none' && proof.reason === reason);
}

/** Why the compiler stopped, without duplicates. */
function failures(answers: readonly FileDiagnostics[]): readonly string[] {
  const reasons = answers.flatMap(({ proof }) =>
    proof.kind === 'none' && proof.reason === 'failed' ? [proof.why] : [],
  );
  return [...new Set(reasons)];
}

function names(answers: readonly FileDiagnostics[]): string {
  return listed(answers.map(({ path }) => path));
}

export function listed(paths: readonly WorkspacePath[]): string {
  const shown = paths.slice(0, 3);
  const more = paths.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
