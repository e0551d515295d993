/**
 * The bytes of a response as they arrive.
 *
 * Invariant: disposal closes the connection unless the response was read to its end, which keeps the connection for
 * the next request.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** Timeout for the end of a complete answer before its connection is closed. */
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

  /** Reads what follows a complete answer: usually only the end of the stream. */
  async finish(): Promise<void> {
    const enough = new AbortController();
    await Promise.race([
      this.#drain(),
      delay(graceMs, undefined, { signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A failure to close does not matter to a leaving reader.
    await this.#reader?.cancel().catch(() => undefined);
  }

  async #drain(): Promise<void> {
    try {
      while ((await this.next()) !== undefined);
    } catch {
      // The answer is complete; a broken connection is just not reused.
    }
  }
}
