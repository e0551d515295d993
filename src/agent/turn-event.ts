/**
 * What happens in a turn, as it happens.
 *
 * Invariant: the last event is `done`, and there is exactly one; between `tool-proposed` and `tool-finished` of a call
 * stands everything else about it.
 */
import type { Failure } from '../base/failure.ts';
import type { AssistantMessage, ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { StopReason } from '../model/model-event.ts';
import type { ModelFailure } from '../model/model-failure.ts';
import type { Usage } from '../model/usage.ts';
import type { FilePatch } from '../text/unified-diff.ts';
import type { CallBoundary } from '../tools/boundary.ts';
import type { Judgement } from './judgement.ts';
import type { CallOrigin } from './reliability/repaired-reply.ts';
import type { Todo } from './todo.ts';

export type TurnEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /** The answer broke off and begins anew: what was heard of it is void. */
  | { readonly kind: 'restarted'; readonly cause: ModelFailure }
  | {
      readonly kind: 'retrying';
      readonly attempt: number;
      readonly delayMs: number;
      readonly cause: ModelFailure;
    }
  /** An answer is complete, in the form it has in the conversation. */
  | { readonly kind: 'answer'; readonly message: AssistantMessage }
  | { readonly kind: 'tool-proposed'; readonly call: ToolCallPart; readonly origin: CallOrigin }
  | { readonly kind: 'tool-permitted'; readonly id: string }
  | { readonly kind: 'tool-denied'; readonly id: string; readonly reason: string }
  | { readonly kind: 'tool-started'; readonly id: string }
  | { readonly kind: 'diagnostics'; readonly id: string; readonly judgement: Judgement }
  | {
      readonly kind: 'tool-finished';
      readonly result: ToolResultPart;
      /** The paths the call names as changed. */
      readonly changed: readonly string[];
      /** What the call wrote. Empty for a command that wrote to the disk by itself. */
      readonly patch: readonly FilePatch[];
    }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  /** What one request cost. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'compacted'; readonly summary: string }
  | { readonly kind: 'done'; readonly outcome: TurnOutcome };

export type TurnOutcome =
  /** The model has said what it had to say. */
  | { readonly kind: 'answered'; readonly stop: StopReason }
  /** A guard stopped the turn at a call. */
  | { readonly kind: 'halted'; readonly boundary: CallBoundary }
  /** The turn took as many rounds as it may, and the model was not done. */
  | { readonly kind: 'exhausted'; readonly rounds: number }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failure: Failure };
