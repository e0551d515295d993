/**
 * What happens while a model answers.
 *
 * Invariant: the deltas of a call stand between its start and its end; `stop` comes at most once, after all content.
 */
import type { ModelFailure } from './model-failure.ts';

export type ModelEvent =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'thinking-delta'; readonly text: string }
  /** Ends a piece of thinking that carries a proof, or that is hidden altogether. */
  | { readonly kind: 'thinking-end'; readonly signature: string }
  | { readonly kind: 'thinking-redacted'; readonly data: string }
  | { readonly kind: 'call-start'; readonly call: number; readonly id: string; readonly name: string }
  | { readonly kind: 'call-delta'; readonly call: number; readonly json: string }
  | { readonly kind: 'call-end'; readonly call: number }
  /** All that is known of the request so far; a later one replaces an earlier one. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  /** Nothing of the answer was delivered yet; the request is sent again after the delay. */
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly cause: ModelFailure;
    }
  /** The answer broke off; everything delivered of it is void and it begins anew. */
  | { readonly kind: 'restart'; readonly cause: ModelFailure };

export interface Usage {
  /** All tokens of the prompt, those from the cache included. */
  readonly input: number;
  /** How many of them a cache supplied; undefined where the provider does not say. */
  readonly cachedInput: number | undefined;
  /** How many of them were put into a cache for later. */
  readonly cacheWrite: number;
  readonly output: number;
}

export type StopReason =
  | 'end'
  | 'tool-calls'
  | 'max-tokens'
  | 'stop-sequence'
  | 'refused'
  | 'context-full'
  | 'paused';

export const noUsage: Usage = { input: 0, cachedInput: undefined, cacheWrite: 0, output: 0 };

/** Tokens of the prompt that had to be computed; all of them where the provider does not say. */
export function uncachedInput({ input, cachedInput }: Usage): number {
  return input - (cachedInput ?? 0);
}

/** Whether an event is part of the answer itself, so that sending the request again would repeat it. */
export function isContent({ kind }: ModelEvent): boolean {
  return kind !== 'usage' && kind !== 'stop' && kind !== 'retry' && kind !== 'restart';
}
