/**
 * The measured effect of a session's edits on the diagnostics of the workspace, how far it can be trusted, and the
 * verdict that follows.
 *
 * Invariants: `confidence` is `high` only if every evaluated file's diagnostics are proved to belong to the text of
 * this session, and the set of files is known to be complete for the scope. It is the lowest that any doubt allows, in
 * whatever order the doubts are listed; each doubt is a sentence for the reader. `clean` needs that proof. Errors found
 * are `broken` whatever the confidence, since they were seen; their absence counts only if it was proved.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { Scope } from '../servers/projection.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { ServerConfinement } from '../servers/server-site.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export type Confidence = 'high' | 'eventual' | 'partial' | 'low';

/**
 * A diagnostic that appeared or disappeared; introduced ones have positions after the edit, resolved ones before it.
 */
export interface Finding {
  readonly path: WorkspacePath;
  readonly diagnostic: Diagnostic;
}

export interface Evaluation {
  readonly scope: Scope;
  readonly introduced: readonly Finding[];
  readonly resolved: readonly Finding[];
  readonly netDelta: number;
  readonly errorsDelta: number;
  readonly warningsDelta: number;
  readonly confidence: Confidence;
  readonly baselineConfidence: 'high' | 'partial';
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly server: { readonly name: string; readonly version?: string };
  readonly settle: { readonly mode: 'pull' | 'push' | 'request'; readonly quietMs?: number };
  /** The projection mode in which the server was shown the overlay. */
  readonly way: 'buffers' | 'mounted' | 'copied';
  /** Whether the programs behind it, which may execute code of the change, were confined. */
  readonly confinement: ServerConfinement;
  /** Every file whose diagnostics were compared. */
  readonly evaluatedFiles: readonly WorkspacePath[];
  /** In file scope, how many files depend on the changed ones and were not checked; absent if they were not counted. */
  readonly dependentsNotChecked?: number;
  /** Why confidence is not high, in sentences; empty if it is. */
  readonly doubts: readonly string[];
}

/** What is known before every file has answered. It is no verdict: without errors it says nothing. */
export interface PartialEvaluation {
  readonly server: string;
  readonly introduced: readonly Finding[];
  /** The files that have answered. */
  readonly evaluatedFiles: readonly WorkspacePath[];
  /** How many files have not answered yet; at least one. */
  readonly remaining: number;
}

/** A partial answer in one line. */
export function partialText(partial: PartialEvaluation): string {
  const { length } = partial.evaluatedFiles;
  const checked = length === 1 ? '1 file checked' : `${length} files checked`;
  return `${errorsSoFar(partial)} (${checked}), ${partial.remaining} more to check`;
}

export function errorsSoFar({ introduced }: PartialEvaluation): string {
  const errors = introduced.filter(({ diagnostic }) => diagnostic.severity === 'error');
  const files = [...new Set(errors.map(({ path }) => path))];
  return files.length === 0 ? 'no errors so far' : `errors so far: ${errors.length} in ${listed(files)}`;
}

export type Verdict =
  | { readonly kind: 'clean' }
  | { readonly kind: 'broken'; readonly errors: number; readonly in: readonly WorkspacePath[] }
  | { readonly kind: 'unknown'; readonly why: readonly string[] };

export function verdictOf(evaluation: Evaluation): Verdict {
  const errors = evaluation.introduced.filter((finding) => finding.diagnostic.severity === 'error');
  if (errors.length > 0) {
    const files = new Set(errors.map((finding) => finding.path));
    return { kind: 'broken', errors: errors.length, in: [...files].sort() };
  }
  if (evaluation.confidence === 'high' && evaluation.baselineConfidence === 'high') return { kind: 'clean' };
  return { kind: 'unknown', why: evaluation.doubts };
}

/** Whether an edit may be applied without asking: nothing got worse, and both sides of the comparison were measured. */
export function isSafeToApply(evaluation: Evaluation): boolean {
  const isMeasured =
    (evaluation.confidence === 'high' || evaluation.confidence === 'eventual') &&
    evaluation.baselineConfidence === 'high' &&
    !evaluation.timedOut;
  return isMeasured && evaluation.netDelta <= 0 && verdictOf(evaluation).kind !== 'broken';
}

export function emptyEvaluation(scope: Evaluation['scope'], name: string): Evaluation {
  return {
    scope,
    introduced: [],
    resolved: [],
    netDelta: 0,
    errorsDelta: 0,
    warningsDelta: 0,
    confidence: 'partial',
    baselineConfidence: 'partial',
    timedOut: false,
    durationMs: 0,
    server: { name },
    settle: { mode: 'request' },
    way: 'buffers',
    confinement: { kind: 'not-needed' },
    evaluatedFiles: [],
    doubts: [],
  };
}

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
