/**
 * What the speculation engine needs from its caller: to predict, to run, to judge and to commit.
 *
 * A `Branch` is the state that work starts from: a conversation and its files. The engine does not look into it.
 */
import type { Usage } from '../../model/usage.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Boundary } from './boundary.ts';
import type { OfferVerdict } from './offer.ts';
import type { SpeculationOutcome } from './speculation-state.ts';

export interface SpeculationPorts<Branch> {
  /** Predicts the next input of the user, or returns silence. */
  predict(task: PredictTask<Branch>, signal: AbortSignal): Promise<Prediction>;
  /**
   * Works on a suggestion in a fork of the branch until it is complete or reaches a boundary. Aborted with
   * `AcceptedEarly`, it returns what it has; aborted otherwise, it throws and leaves nothing behind.
   */
  run(task: RunTask<Branch>, signal: AbortSignal): Promise<Run<Branch>>;
  /** Evaluates what a run would do to the files. */
  judge(run: Run<Branch>, signal: AbortSignal): Promise<OfferVerdict>;
  /** Makes all of a run real, or nothing. */
  commit(run: Run<Branch>, signal: AbortSignal): Promise<Landing>;
  /** Decides whether working ahead is worth its cost; absent: always. */
  readonly spending?: SpendingGate;
  /** Receives the outcome of every step that has ended. If it throws, the failure is logged and the outcome stands. */
  record?(outcome: SpeculationOutcome): void;
}

export interface PredictTask<Branch> {
  readonly on: Branch;
  /** How many suggestions must be accepted before this one. */
  readonly ahead: number;
  readonly meter: Meter;
}

export interface RunTask<Branch> extends PredictTask<Branch> {
  readonly suggestion: string;
}

/** Receives usage as it occurs, so that aborted work is counted too. */
export interface Meter {
  tokens(usage: Usage): void;
  toolUse(): void;
}

export type Prediction =
  | { readonly kind: 'suggestion'; readonly text: string }
  | { readonly kind: 'silence'; readonly because: string };

export interface Run<Branch> {
  readonly boundary: Boundary;
  /** The branch after acceptance; the next prediction starts from it. */
  readonly after: Branch;
}

export type Landing =
  /** `patch` is what was written; absent if a branch has no files. */
  | { readonly kind: 'committed'; readonly patch?: readonly FilePatch[] }
  /** These files were changed since the run read them; nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

export interface SpendingGate {
  /** Whether a prediction this many suggestions ahead is worth its cost. */
  mayPredict(ahead: number): Spending;
  /** Whether a run of the suggestion is worth its cost. */
  mayRun(suggestion: string, ahead: number): Spending;
  /** Receives the usage of every request as soon as it is known. */
  spend?(usage: Usage): void;
}

export type Spending =
  | { readonly kind: 'go' }
  | {
      readonly kind: 'stay';
      readonly because: string;
      /** A line for the user that explains why. */
      readonly notice?: string;
    };
