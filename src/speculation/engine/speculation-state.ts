/** What a speculation is at, what happens to it, and what came of it. */
import type { Usage } from '../../model/usage.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Boundary } from './boundary.ts';
import type { OfferVerdict } from './offer.ts';

export type SpeculationState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'predicting' }
  /** Shown, and not worked on: that would not pay. */
  | { readonly kind: 'suggested'; readonly suggestion: string; readonly because: string }
  | { readonly kind: 'running'; readonly suggestion: string }
  | {
      readonly kind: 'ready';
      readonly suggestion: string;
      readonly boundary: Boundary;
      readonly verdict: OfferVerdict;
      /** The suggestions that must be accepted before it, next one last: the verdict speaks of what it adds to them. */
      readonly restsOn: readonly string[];
    }
  | { readonly kind: 'accepted'; readonly suggestion: string; readonly savedMs: number }
  /** Nothing to suggest; `notice` is a line for the user, where they must learn why. */
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
  /** Files it rests on were changed meanwhile. */
  | 'conflict'
  /** The one it was built upon is gone. */
  | 'predecessor'
  | 'failed';

/** One step from a state to the next. */
export interface SpeculationEvent {
  /** Which speculation; the same from its prediction to its end. */
  readonly id: number;
  /** 0 is the one the user is offered; 1 the one after it. */
  readonly ahead: number;
  readonly state: SpeculationState;
}

export interface SpeculationOutcome {
  readonly end:
    | { readonly kind: 'accepted' }
    /** The user took the words; nothing had been done about them. */
    | { readonly kind: 'taken' }
    | { readonly kind: 'silent'; readonly because: string }
    | { readonly kind: 'aborted'; readonly reason: AbortReason };
  /** Absent where none was made. */
  readonly suggestion: string | undefined;
  readonly ahead: number;
  readonly boundary: Boundary | undefined;
  /** Why it was shown and not worked on; absent where it was worked on or not shown. */
  readonly unworked?: string;
  readonly toolUses: number;
  readonly usage: Usage;
  /** How long it worked, whatever came of it. */
  readonly workedMs: number;
  /** How much sooner the user had it. */
  readonly savedMs: number;
}

export type Acceptance =
  /** `query`: what a boundary cut off is left for a normal query. */
  | {
      readonly kind: 'accepted';
      readonly next: 'nothing' | 'query';
      readonly savedMs: number;
      /** What was written; absent where a branch has no files. */
      readonly patch?: readonly FilePatch[];
    }
  /** The input is to be run as if there had been no speculation. */
  | {
      readonly kind: 'declined';
      readonly because: 'nothing_ready' | 'other_input' | 'conflict' | 'failed' | 'interrupted';
      readonly paths: readonly string[];
    };
