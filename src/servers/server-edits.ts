/**
 * Receives the edits that a server requests while it executes a command.
 *
 * Invariant: an edit is applied only while a caller waits for the command it gave; at any other time it is refused.
 */
import { messageOf } from '../base/failure.ts';
import type { AppliedEdit } from '../lsp/server-options.ts';

/** Applies one edit, or throws the reason why not. */
export type AcceptEdit = (edit: unknown) => Promise<void>;

export class ServerEdits {
  #accept: AcceptEdit | undefined;

  /** Handles the server's request; never throws, since the response contains the reason. */
  async apply(edit: unknown): Promise<AppliedEdit> {
    if (!this.#accept) return { applied: false, failureReason: 'no command is running that may edit files' };
    try {
      await this.#accept(edit);
      return { applied: true };
    } catch (thrown) {
      return { applied: false, failureReason: messageOf(thrown) };
    }
  }

  /** Passes the edits that arrive while `work` runs to `accept`. */
  async during<T>(accept: AcceptEdit, work: () => Promise<T>): Promise<T> {
    this.#accept = accept;
    try {
      return await work();
    } finally {
      this.#accept = undefined;
    }
  }
}
