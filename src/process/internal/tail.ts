/**
 * The last bytes of a stream.
 *
 * Invariant: never holds more than twice its capacity.
 */
export class Tail {
  readonly #capacity: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  append(chunk: Buffer): void {
    // A large chunk is cut on arrival, copied so that the rest of its buffer can be freed.
    const kept = chunk.length > this.#capacity ? Buffer.from(chunk.subarray(-this.#capacity)) : chunk;
    this.#chunks.push(kept);
    this.#length += kept.length;
    for (
      let first = this.#chunks[0];
      first && this.#length - first.length >= this.#capacity;
      first = this.#chunks[0]
    ) {
      this.#length -= first.length;
      this.#chunks.shift();
    }
  }

  /** The kept text; a character cut in half at its start is left out. */
  toString(): string {
    const bytes = Buffer.concat(this.#chunks).subarray(-this.#capacity);
    let start = 0;
    while (this.#chunks.length > 0 && start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return bytes.toString('utf8', start);
  }
}
