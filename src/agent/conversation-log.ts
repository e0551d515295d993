/**
 * The record of one conversation on disk; without a transcript, nothing is recorded.
 *
 * Invariant: the first entry names the conversation and its workspace.
 */
import type { Transcript } from '../storage/transcript.ts';
import type { ConversationEntry } from './conversation-record.ts';

export interface LogParts {
  /** Absent: nothing is recorded. */
  readonly transcript: Transcript | undefined;
  readonly id: string;
  /** The root of the conversation's workspace. */
  readonly workspace: string;
  /** Whether the transcript already holds entries of the conversation. */
  readonly isOpened: boolean;
}

export class ConversationLog implements AsyncDisposable {
  readonly #parts: LogParts;
  #isOpened: boolean;

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.#isOpened = parts.isOpened;
  }

  /** The path of the transcript; undefined if nothing is recorded. */
  get path(): string | undefined {
    return this.#parts.transcript?.path;
  }

  async append(entry: ConversationEntry): Promise<void> {
    const { transcript, id, workspace } = this.#parts;
    if (!transcript) return;
    const opened: readonly ConversationEntry[] = this.#isOpened
      ? []
      : [{ kind: 'opened', id, workspace, at: now() }];
    await transcript.append(...opened, entry);
    this.#isOpened = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.transcript?.[Symbol.asyncDispose]();
  }
}

export function now(): string {
  return new Date().toISOString();
}
