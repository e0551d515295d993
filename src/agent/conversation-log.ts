/**
 * The record of one conversation on disk, or of none.
 *
 * Invariant: the first entry says which conversation it is and where it was held.
 */
import type { Transcript } from '../storage/transcript.ts';
import type { ConversationEntry } from './conversation-record.ts';

export interface LogParts {
  /** Absent: nothing is kept. */
  readonly transcript: Transcript | undefined;
  readonly id: string;
  /** The root of the workspace that the conversation is about. */
  readonly workspace: string;
  /** Whether the transcript holds entries of the conversation already. */
  readonly isOpened: boolean;
}

export class ConversationLog implements AsyncDisposable {
  readonly #parts: LogParts;
  #isOpened: boolean;

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.#isOpened = parts.isOpened;
  }

  /** The file; undefined where nothing is kept. */
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
