/** The states, events and outcomes of speculations. */
import type { Usage } from '../../model/usage.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Boundary } from './boundary.ts';
import type { OfferVerdict } from './offer.ts';

export type SpeculationState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'predicting' }
  /** Shown to the user but not run, because a run is not worth its cost. */
  | { readonly kind: 'suggested'; readonly suggestion: string; readonly because: string }
  | { readonly kind: 'running'; readonly suggestion: string }
  | {
      readonly kind: 'ready';
      readonly suggestion: string;
      readonly boundary: Boundary;
      readonly verdict: OfferVerdict;
      /**
       * The suggestions that must be accepted first, the nearest last. The verdict is about what this one adds to
       * them.
       */
      readonly restsOn: readonly string[];
    }
  | { readonly kind: 'accepted'; readonly suggestion: string; readonly savedMs: number }
  /** Nothing to suggest; `notice` is a line for the user that explains why. */
  | { readonly kind: 'silent'; readonly because: string; readonly notice?: string }
  | { readonly kind: 'aborted'; readonly reason: AbortReason };

export type AbortReason =
  /** The user typed something else. */
  | 'typed'
  | 'dismissed'
  | 'interrupted'
  /** Another turn began. */
  | 'superseded'
  | 'switched_off'
  | 'disposed'
  /** Files that it read or changed were changed by others. */
  | 'conflict'
  /** The step it was built upon has ended without being accepted. */
  | 'predecessor'
  | 'failed';

/** A change of a step's state. */
export interface SpeculationEvent {
  /** Identifies the step, from prediction to end. */
  readonly id: number;
  /** 0 for the offer, 1 for its successor, and so on. */
  readonly ahead: number;
  readonly state: SpeculationState;
}

export interface SpeculationOutcome {
  readonly end:
    | { readonly kind: 'accepted' }
    /** The user sent the suggestion, but no run of it existed. */
    | { readonly kind: 'taken' }
    | { readonly kind: 'silent'; readonly because: string }
    | { readonly kind: 'aborted'; readonly reason: AbortReason };
  /** Absent if none was made. */
  readonly suggestion: string | undefined;
  readonly ahead: number;
  readonly boundary: Boundary | undefined;
  /** Why it was shown but not run; absent if it was run or not shown. */
  readonly unworked?: string;
  readonly toolUses: number;
  readonly usage: Usage;
  /** How long it worked, whatever the outcome. */
  readonly workedMs: number;
  /** How much earlier the user had the result. */
  readonly savedMs: number;
}

export type Acceptance =
  /** `query`: a normal query must do what the boundary cut off. */
  | {
      readonly kind: 'accepted';
      readonly next: 'nothing' | 'query';
      readonly savedMs: number;
      /** What was written; absent if a branch has no files. */
      readonly patch?: readonly FilePatch[];
    }
  /** The caller must run the input as if there had been no speculation. */
  | {
      readonly kind: 'declined';
      readonly because: 'nothing_ready' | 'other_input' | 'conflict' | 'failed' | 'interrupted';
      readonly paths: readonly string[];
    };
