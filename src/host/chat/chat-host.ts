/** What a front end needs for a chat: the conversations of a workspace, and their changes to its files. */
import type { Conversation } from '../../agent/conversation.ts';
import type { AgentSpeculation } from '../../speculation/agent-speculation.ts';
import type { FilePatch } from '../../text/unified-diff.ts';
import type { Ask } from '../../tools/permission-request.ts';
import type { SpeculationStatistics } from './speculation-statistics.ts';

export interface ChatHost {
  /** Opens a conversation and closes the previous one. Without `ask`, calls that need a permission are denied. */
  open(wish: ConversationWish, ask: Ask | undefined, signal: AbortSignal): Promise<OpenChat>;
  /** The conversations of this workspace, most recently used first. */
  list(): Promise<readonly KnownConversation[]>;
  /** All changes of this process's conversations, compared with the current files. */
  changes(signal: AbortSignal): Promise<readonly FilePatch[]>;
  /** Undoes the last change; returns a sentence that says what happened. */
  undo(signal: AbortSignal): Promise<string>;
  stats(): Promise<SpeculationStatistics>;
}

export interface OpenChat {
  readonly conversation: Conversation;
  /** Its speculation; absent if there is none. */
  readonly ahead?: Ahead;
}

export type Ahead = Pick<
  AgentSpeculation,
  'state' | 'states' | 'subscribe' | 'begin' | 'typed' | 'abort' | 'turn' | 'resume' | 'enter'
>;

export type ConversationWish =
  | { readonly kind: 'begin' }
  /** Without an id, the most recently used one. */
  | { readonly kind: 'resume'; readonly id: string | undefined }
  /** The open conversation, with another model. */
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
