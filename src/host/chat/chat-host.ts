/** What a chat needs of the program around it: conversations, and what became of the files. */
import type { Conversation } from '../../agent/conversation.ts';
import type { AgentSpeculation } from '../../speculation/agent-speculation.ts';
import type { AskUser } from '../../terminal/question/question.ts';
import type { FilePatch } from '../../text/unified-diff.ts';

export interface ChatHost {
  /** Opens a conversation, and closes the one before it. */
  open(wish: ConversationWish, ask: AskUser | undefined, signal: AbortSignal): Promise<OpenChat>;
  /** The conversations of this workspace, most recently used first. */
  list(): Promise<readonly KnownConversation[]>;
  /** What reached the disk since this was asked last. */
  takeLanded(): readonly FilePatch[];
  /** All that the conversations of this process changed, against the files as they are now. */
  changes(signal: AbortSignal): Promise<readonly FilePatch[]>;
  /** Takes the last change back; a sentence says what became of it. */
  undo(signal: AbortSignal): Promise<string>;
  /** What working ahead has brought, in lines. */
  stats(): Promise<readonly string[]>;
}

export interface OpenChat {
  readonly conversation: Conversation;
  /** Whoever works ahead in it; absent where nobody does. */
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

/** Where what the user said is kept for the next time. */
export interface HistoryStore {
  read(): Promise<readonly string[]>;
  add(text: string): Promise<void>;
}
