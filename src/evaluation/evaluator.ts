/**
 * The port behind which an overlay is evaluated, in this process or on another machine.
 *
 * Invariant: an answer follows from the request and the files it names alone. Evaluating twice is harmless. If the
 * files are not those the request depends on, the answer is `stale` and has no verdict.
 */
import type { HashedPath } from '../overlay/encoded-overlay.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Scope } from '../servers/projection.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Against } from './comparison-base.ts';
import type { Evaluation, PartialEvaluation, Verdict } from './evaluation.ts';
import type { UnjudgedFiles } from './server-assignment.ts';

export interface Evaluator {
  evaluate(request: EvaluationRequest, signal: AbortSignal): Promise<EvaluationOutcome>;
}

/**
 * The request inside a process, with the overlay itself. `encodeRequest` turns it into plain data for another
 * process.
 */
export interface EvaluationRequest {
  readonly workspace: WorkspaceIdentity;
  readonly overlay: Overlay;
  /** The base of the comparison; absent: the disk. */
  readonly against?: Against | undefined;
  /**
   * What the disk must contain for the answer to be about the caller's files. Absent if the overlay lies on a
   * Baseline of this process, which has the contents.
   */
  readonly restsOn?: readonly HashedPath[] | undefined;
  /** The languages whose servers are asked; absent: all that the change affects. */
  readonly languages?: readonly LanguageId[] | undefined;
  /**
   * The language the caller works in: its server comes first when answers are joined, and its failure fails the call.
   */
  readonly mainLanguage?: LanguageId | undefined;
  readonly scope: Scope;
  /** How long each server may take to answer. */
  readonly timeoutMs: number;
  /** Whether the time to start a server counts as well; absent: it does. */
  readonly serverStart?: 'within-timeout' | 'unlimited' | undefined;
  /** The caller, for the log. */
  readonly caller: string;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Called as files answer, with how many have and how many must. */
  readonly onAnswered?: ((answered: number, of: number) => void) | undefined;
  /**
   * Called before the answer is complete: with the changed files, then with those that name a changed declaration
   * themselves. Never called if all files answer together.
   */
  readonly onPartial?: ((partial: PartialEvaluation) => void) | undefined;
}

/** Which workspace is meant; a Workspace is one. */
export interface WorkspaceIdentity {
  readonly root: string;
}

/** Plain data: it survives JSON unchanged. */
export type EvaluationOutcome =
  | ({ readonly kind: 'evaluated' } & OverlayCheck)
  /** Nothing was evaluated: at these paths the disk is not what the request depends on. */
  | { readonly kind: 'stale'; readonly paths: readonly WorkspacePath[] };

/** The answers of all servers that a change affects. */
export interface OverlayCheck {
  readonly changed: readonly WorkspacePath[];
  readonly verdict: Verdict;
  readonly evaluations: readonly Evaluation[];
  readonly unjudged: readonly UnjudgedFiles[];
  /** The server of the request's main language. */
  readonly mainServer?: string;
  /** The worker that evaluated it; absent: this process. */
  readonly worker?: string;
}
