/**
 * A conversation that a speculation starts from: the real one, or its state after earlier suggestions are accepted.
 *
 * Invariant: nothing is added to a branch; work on it happens in a fork.
 */
import type { Conversation } from '../agent/conversation.ts';
import type { TurnOutcome } from '../agent/turn-event.ts';
import type { Message } from '../model/message.ts';
import type { RanCommand } from './engine/offer.ts';
import type { FilesByWorkspace } from './speculative-files.ts';

export interface AgentBranch {
  /** The user's conversation. */
  readonly trunk: Conversation;
  /** The conversation to continue. */
  readonly conversation: Conversation;
  /** The outcome of the trunk's last turn. */
  readonly ended: TurnOutcome;
  /** The work of a run; absent on the trunk itself. */
  readonly added?: AddedWork;
}

export interface AddedWork {
  /** The length of the conversation before it. */
  readonly from: number;
  /** The last message before it. */
  readonly onto: Message | undefined;
  readonly messages: readonly Message[];
  readonly files: FilesByWorkspace;
  readonly commands: readonly RanCommand[];
}
