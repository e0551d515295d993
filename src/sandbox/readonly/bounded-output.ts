/**
 * What a run prints, up to a limit.
 *
 * Invariant: never holds more than its capacity, and tells when there was more.
 */
import { StringDecoder } from 'node:string_decoder';

export class BoundedOutput {
  readonly #chunks: Buffer[] = [];
  readonly #onFull: () => void;
  #room: number;
  #isFull = false;

  /** `onFull` is called once, when more arrives than there is room for. */
  constructor(capacity: number, onFull: () => void) {
    this.#room = capacity;
    this.#onFull = onFull;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  append(chunk: Buffer): void {
    if (this.#isFull) return;
    this.#chunks.push(chunk.subarray(0, this.#room));
    if (chunk.length > this.#room) {
      this.#isFull = true;
      this.#onFull();
    }
    this.#room -= Math.min(chunk.length, this.#room);
  }

  /** What was kept. */
  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  toString(): string {
    const decoder = new StringDecoder('utf8');
    const text = decoder.write(Buffer.concat(this.#chunks));
    // A character cut in two by the limit is left out.
    return this.#isFull ? text : text + decoder.end();
  }
}
