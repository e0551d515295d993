/**
 * A conversation as a speculation goes on from it: the real one, or what it will be once others are accepted.
 *
 * Invariant: a branch is not said anything any more; whoever goes on from it forks it.
 */
import type { Conversation } from '../agent/conversation.ts';
import type { TurnOutcome } from '../agent/turn-event.ts';
import type { Message } from '../model/message.ts';
import type { RanCommand } from './engine/offer.ts';
import type { FilesByWorkspace } from './speculative-files.ts';

export interface AgentBranch {
  /** The conversation the user has. */
  readonly trunk: Conversation;
  /** The one to go on from. */
  readonly conversation: Conversation;
  /** How the last turn of the trunk ended. */
  readonly ended: TurnOutcome;
  /** What a run added; absent on the trunk itself. */
  readonly added?: AddedWork;
}

export interface AddedWork {
  /** How long the conversation was before it. */
  readonly from: number;
  /** The last message before it. */
  readonly onto: Message | undefined;
  readonly messages: readonly Message[];
  readonly files: FilesByWorkspace;
  readonly commands: readonly RanCommand[];
}
