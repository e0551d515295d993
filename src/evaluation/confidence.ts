/**
 * How far an evaluation can be trusted, and why not further.
 *
 * Invariant: `high` means that nothing listed here spoke against it; each doubt is a sentence for the reader.
 */

import type { Scope } from '../servers/projection-mode.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Confidence, Evaluation } from './evaluation.ts';

export interface Circumstances {
  readonly scope: Scope;
  readonly reach: { readonly complete: boolean; readonly why?: string };
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
  readonly isClean: boolean;
  /** Edited files that somebody else changed on disk since. */
  readonly changedUnderneath: readonly WorkspacePath[];
  /** Edited files that bear on others than those that were looked at. */
  readonly beyondScope: readonly WorkspacePath[];
  /** Whether anything on disk changed while both sides were measured. */
  readonly diskMoved: boolean;
  /** Whether nobody tells of changes on disk, so that files we do not hold ourselves may be out of date. */
  readonly isBlind: boolean;
  readonly isBusy: boolean;
  /** What nobody looked at, or could not be looked at for what is missing: a sentence for each. */
  readonly unchecked: readonly string[];
  /** Whether the compiler, which knows more than the server, has not spoken. */
  readonly isHalfChecked: boolean;
  /** What the server does not look at in files of its kind, in a sentence. */
  readonly blindSpot?: string | undefined;
}

/** From the best to the worst. */
const grades: readonly Confidence[] = ['high', 'eventual', 'partial', 'low'];

type Judgement = Pick<Evaluation, 'confidence' | 'baselineConfidence' | 'doubts'>;

export function judge(circumstances: Circumstances): Judgement {
  const { before, after, scope, reach } = circumstances;
  let confidence: Confidence = 'high';
  const doubts: string[] = [];
  const doubt = (grade: Confidence, sentence: string) => {
    if (grades.indexOf(grade) > grades.indexOf(confidence)) confidence = grade;
    doubts.push(sentence);
  };
  const quiet = [...before, ...after].filter(({ proof }) => proof.kind === 'quiet');
  if (quiet.length > 0) {
    doubt('partial', `The server offers no proof; ${quiet.length} answers were taken after a quiet window.`);
  }
  if (scope === 'workspace' && !reach.complete) {
    doubt('eventual', reach.why ?? 'Files outside the evaluated set may be affected.');
  }
  if (circumstances.isBlind) {
    doubt('eventual', 'The disk is not watched; changes made there by others may have gone unnoticed.');
  }
  const late = unanswered(after, 'timeout');
  if (late.length > 0) doubt('partial', `No answer in time for ${names(late)}.`);
  const refused = unanswered(after, 'refused');
  if (refused.length > 0) doubt('partial', `The server would not answer for ${names(refused)}.`);
  for (const why of failures(after)) doubt('partial', `The compiler did not check everything: ${why}.`);
  if (circumstances.changedUnderneath.length > 0) {
    doubt(
      'partial',
      `Changed on disk since the session read them: ${circumstances.changedUnderneath.join(', ')}.`,
    );
  }
  if (circumstances.beyondScope.length > 0) {
    const paths = circumstances.beyondScope.join(', ');
    doubt('partial', `What ${paths} means for other files shows in workspace scope only.`);
  }
  for (const sentence of circumstances.unchecked) doubt('partial', sentence);
  const cut = after.filter(({ isCut }) => isCut);
  if (cut.length > 0)
    doubt('partial', `The server stopped before the end of ${names(cut)}; more errors may follow.`);
  if (circumstances.diskMoved) doubt('partial', 'Files on disk changed during the evaluation.');
  if (circumstances.isClean && circumstances.isBusy) {
    doubt('low', 'The server was still loading or indexing when it answered.');
  }
  if (circumstances.isClean && circumstances.blindSpot !== undefined) doubt('low', circumstances.blindSpot);
  if (circumstances.isClean && circumstances.isHalfChecked) {
    doubt(
      'low',
      'The server knows less than the compiler, which checks in workspace scope and where it is installed.',
    );
  }
  const lateBefore = before.filter(({ proof, isCut }) => proof.kind === 'none' || isCut === true);
  if (lateBefore.length > 0) doubts.push(`The baseline of ${names(lateBefore)} could not be measured.`);
  return { confidence, doubts, baselineConfidence: lateBefore.length > 0 ? 'partial' : 'high' };
}

function unanswered(
  answers: readonly FileDiagnostics[],
  reason: 'timeout' | 'refused',
): readonly FileDiagnostics[] {
  return answers.filter(({ proof }) => proof.kind === 'none' && proof.reason === reason);
}

/** What stopped the compiler, each reason once. */
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
