/**
 * The events of an answer.
 *
 * Invariant: the deltas of a call lie between its start and its end; `stop` occurs at most once, after all content.
 */
import type { ModelFailure } from './model-failure.ts';
import type { Usage } from './usage.ts';

export type ModelEvent =
  | { readonly kind: 'text-delta'; readonly text: string }
  | { readonly kind: 'thinking-delta'; readonly text: string }
  /** Ends a part of thinking that has a signature, or is encrypted. */
  | { readonly kind: 'thinking-end'; readonly signature: string }
  | { readonly kind: 'thinking-redacted'; readonly data: string }
  | { readonly kind: 'call-start'; readonly call: number; readonly id: string; readonly name: string }
  | { readonly kind: 'call-delta'; readonly call: number; readonly json: string }
  | { readonly kind: 'call-end'; readonly call: number }
  /** The token usage of the request so far; a later event replaces an earlier one. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  /** Nothing of the answer was delivered yet; the request is retried after the delay. */
  | {
      readonly kind: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly cause: ModelFailure;
    }
  /** The answer was interrupted; discard what was delivered, it starts again. */
  | { readonly kind: 'restart'; readonly cause: ModelFailure };

export type StopReason =
  | 'end'
  | 'tool-calls'
  | 'max-tokens'
  | 'stop-sequence'
  | 'refused'
  | 'context-full'
  | 'paused';

/** Whether an event is part of the answer itself, so that a retry would repeat it. */
export function isContentEvent({ kind }: ModelEvent): boolean {
  return kind !== 'usage' && kind !== 'stop' && kind !== 'retry' && kind !== 'restart';
}
