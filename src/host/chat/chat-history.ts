/**
 * The inputs typed in a workspace, stored for the next chat.
 *
 * Invariant: only the user can read the file. If the history cannot be read or written, that is logged and the chat
 * continues.
 */
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { Transcript } from '../../storage/transcript.ts';
import type { HistoryStore } from './chat-host.ts';

export class ChatHistory implements HistoryStore, AsyncDisposable {
  readonly #file: Transcript;
  readonly #log: Log;

  constructor(path: string, log: Log) {
    this.#file = new Transcript(path);
    this.#log = log;
  }

  async read(): Promise<readonly string[]> {
    try {
      const entries = await this.#file.read();
      return entries.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
    } catch (thrown) {
      this.#log.warning('chat.history-unread', { code: 'cli/history-unread', error: messageOf(thrown) });
      return [];
    }
  }

  async add(text: string): Promise<void> {
    try {
      await this.#file.append({ text });
    } catch (thrown) {
      this.#log.warning('chat.history-lost', { code: 'cli/history-lost', error: messageOf(thrown) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]();
  }
}
