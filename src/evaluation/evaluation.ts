/**
 * The measured effect of a session's edits on the diagnostics of the workspace.
 *
 * Invariant: `confidence` is `high` only if every evaluated file's diagnostics are proved to belong to the text of
 * this session, and the set of files is known to be complete for the scope.
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
