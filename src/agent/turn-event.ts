/**
 * Events of a turn.
 *
 * Invariant: there is exactly one `done` event, and it is the last. All other events of a call lie between its
 * `tool-proposed` and `tool-finished`.
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
  /** The answer broke off and starts again; discard what was received of it. */
  | { readonly kind: 'restarted'; readonly cause: ModelFailure }
  | {
      readonly kind: 'retrying';
      readonly attempt: number;
      readonly delayMs: number;
      readonly cause: ModelFailure;
    }
  /** A complete answer, as it is stored in the conversation. */
  | { readonly kind: 'answer'; readonly message: AssistantMessage }
  | { readonly kind: 'tool-proposed'; readonly call: ToolCallPart; readonly origin: CallOrigin }
  | { readonly kind: 'tool-permitted'; readonly id: string }
  | { readonly kind: 'tool-denied'; readonly id: string; readonly reason: string }
  | { readonly kind: 'tool-started'; readonly id: string }
  | { readonly kind: 'diagnostics'; readonly id: string; readonly judgement: Judgement }
  | {
      readonly kind: 'tool-finished';
      readonly result: ToolResultPart;
      /** The changed paths that the call reported. */
      readonly changed: readonly string[];
      /** The changes the call committed. Empty for a command that wrote to the disk itself. */
      readonly patch: readonly FilePatch[];
    }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  /** Token usage of one request. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'compacted'; readonly summary: string }
  | { readonly kind: 'done'; readonly outcome: TurnOutcome };

export type TurnOutcome =
  /** The model has finished its answer. */
  | { readonly kind: 'answered'; readonly stop: StopReason }
  /** A guard halted the turn at a call. */
  | { readonly kind: 'halted'; readonly boundary: CallBoundary }
  /** The turn reached its maximum of rounds before the model was done. */
  | { readonly kind: 'exhausted'; readonly rounds: number }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'failed'; readonly failure: Failure };
