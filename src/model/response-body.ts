/**
 * The bytes of a response as they come.
 *
 * Invariant: disposing it closes the connection unless the response was read to its end, which keeps the connection
 * for the next request.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** How long an answer that is complete may take to end before its connection is given up. */
const graceMs = 500;

export class ResponseBody implements AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor({ body }: Response) {
    this.#reader = body?.getReader();
  }

  /** The next bytes; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const read = await this.#reader?.read();
    return read?.value;
  }

  /** Reads what follows an answer that is complete: hardly ever more than the end itself. */
  async finish(): Promise<void> {
    const enough = new AbortController();
    await Promise.race([
      this.#drain(),
      delay(graceMs, undefined, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What goes wrong with closing changes nothing for a reader who is leaving.
    await this.#reader?.cancel().catch(() => undefined);
  }

  async #drain(): Promise<void> {
    try {
      while ((await this.next()) !== undefined);
    } catch {
      // The answer is complete; a connection that breaks now is merely not kept.
    }
  }
}
