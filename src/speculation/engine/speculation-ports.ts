/**
 * What a speculation needs of the world: somebody who guesses, somebody who works, somebody who judges, and one way
 * to make it real.
 *
 * A `Branch` is whatever the caller's work goes on from: a conversation and its files. Nothing here looks into one.
 */
import type { Usage } from '../../model/usage.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Boundary } from './boundary.ts';
import type { OfferVerdict } from './offer.ts';
import type { SpeculationOutcome } from './speculation-state.ts';

export interface SpeculationPorts<Branch> {
  /** Guesses what the user says next. Silence is an answer. */
  predict(task: PredictTask<Branch>, signal: AbortSignal): Promise<Prediction>;
  /**
   * Works a suggestion out on a fork of the branch, until it is done or must stop. Aborted with `AcceptedEarly`, it
   * answers with what it has; aborted otherwise, it throws and leaves nothing behind.
   */
  run(task: RunTask<Branch>, signal: AbortSignal): Promise<Run<Branch>>;
  /** Says what a run would do to the files. */
  judge(run: Run<Branch>, signal: AbortSignal): Promise<OfferVerdict>;
  /** Makes a run real, all of it or nothing. */
  commit(run: Run<Branch>, signal: AbortSignal): Promise<Landing>;
  /** Says where working ahead does not pay; absent: it always does. */
  readonly spending?: SpendingGate;
  /** Hears of every speculation that is over. */
  record?(outcome: SpeculationOutcome): void;
}

export interface PredictTask<Branch> {
  readonly on: Branch;
  /** How many suggestions lie between the conversation and this one. */
  readonly ahead: number;
  readonly meter: Meter;
}

export interface RunTask<Branch> extends PredictTask<Branch> {
  readonly suggestion: string;
}

/** Told of whatever is spent, as it is spent: what is aborted has cost something too. */
export interface Meter {
  tokens(usage: Usage): void;
  toolUse(): void;
}

export type Prediction =
  | { readonly kind: 'suggestion'; readonly text: string }
  | { readonly kind: 'silence'; readonly because: string };

export interface Run<Branch> {
  readonly boundary: Boundary;
  /** How things are once it is accepted; what comes next is guessed from there. */
  readonly after: Branch;
}

export type Landing =
  /** `patch` is what was written; absent where a branch has no files. */
  | { readonly kind: 'committed'; readonly patch?: readonly FilePatch[] }
  /** Somebody changed these since; nothing was written. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

export interface SpendingGate {
  /** Whether a guess that lies so far ahead is worth asking for. */
  mayPredict(ahead: number): Spending;
  /** Whether a suggestion is worth working out. */
  mayRun(suggestion: string, ahead: number): Spending;
  /** Receives what every request used, as soon as that is known. */
  spend?(usage: Usage): void;
}

export type Spending =
  | { readonly kind: 'go' }
  | {
      readonly kind: 'stay';
      readonly because: string;
      /** A line for the user, where they must learn of it. */
      readonly notice?: string;
    };
