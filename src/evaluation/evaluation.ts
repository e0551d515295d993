/**
 * The measured effect of a session's edits on the diagnostics of the workspace, and the verdict that follows from it.
 *
 * Invariants: `confidence` is `high` only if every evaluated file's diagnostics are proved to belong to the text of
 * this session, and the set of files is known to be complete for the scope. `clean` needs that proof. Errors found are
 * `broken` whatever the confidence, since they were seen; their absence counts only if it was proved.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import type { Scope } from '../servers/projection-mode.ts';
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
