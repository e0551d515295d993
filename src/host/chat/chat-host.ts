/** What a front end needs for a chat: the conversations of a workspace, and what they did to its files. */
import type { Conversation } from '../../agent/conversation.ts';
import type { AgentSpeculation } from '../../speculation/agent-speculation.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Ask } from '../../tools/permission-request.ts';
import type { SpeculationStatistics } from './speculation-statistics.ts';

export interface ChatHost {
  /** Opens a conversation and closes the one before it. Without `ask`, what needs a permission is denied. */
  open(wish: ConversationWish, ask: Ask | undefined, signal: AbortSignal): Promise<OpenChat>;
  /** The conversations of this workspace, most recently used first. */
  list(): Promise<readonly KnownConversation[]>;
  /** Every change the conversations of this process made, against the files as they are now. */
  changes(signal: AbortSignal): Promise<readonly FilePatch[]>;
  /** Undoes the last change; the answer says what happened, in a sentence. */
  undo(signal: AbortSignal): Promise<string>;
  stats(): Promise<SpeculationStatistics>;
}

export interface OpenChat {
  readonly conversation: Conversation;
  /** The speculation that works ahead in it; absent where there is none. */
  readonly ahead?: Ahead;
}

export type Ahead = Pick<
  AgentSpeculation,
  'state' | 'subscribe' | 'begin' | 'typed' | 'abort' | 'turn' | 'resume' | 'enter'
>;

export type ConversationWish =
  | { readonly kind: 'begin' }
  /** Without an id, the most recently used one. */
  | { readonly kind: 'resume'; readonly id: string | undefined }
  /** The conversation that is open, with another model. */
  | { readonly kind: 'model'; readonly name: string };

export interface KnownConversation {
  readonly id: string;
  readonly title: string;
  readonly modifiedAt: number;
}

/** The inputs of earlier chats. */
export interface HistoryStore {
  read(): Promise<readonly string[]>;
  add(text: string): Promise<void>;
}
