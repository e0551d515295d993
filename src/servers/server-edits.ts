/**
 * Where the edits go that a server asks for by itself, in the course of a command it was given.
 *
 * Invariant: an edit is carried out only for somebody who gave the command and waits for its end; at any
 * other time it is refused, whatever the server wants.
 */
import { messageOf } from '../base/failure.ts';
import type { AppliedEdit } from '../lsp/server-options.ts';

/** Carries one edit out, or throws the reason why not. */
export type AcceptEdit = (edit: unknown) => Promise<void>;

export class ServerEdits {
  #accept: AcceptEdit | undefined;

  /** Answers the server's request; never throws, since the answer has a place for the reason. */
  async apply(edit: unknown): Promise<AppliedEdit> {
    if (!this.#accept) return { applied: false, failureReason: 'no command is running that may edit files' };
    try {
      await this.#accept(edit);
      return { applied: true };
    } catch (thrown) {
      return { applied: false, failureReason: messageOf(thrown) };
    }
  }

  /** Hands the edits that come in while `work` runs to `accept`. */
  async during<T>(accept: AcceptEdit, work: () => Promise<T>): Promise<T> {
    this.#accept = accept;
    try {
      return await work();
    } finally {
      this.#accept = undefined;
    }
  }
}
