/**
 * What a command prints, kept within a limit: its beginning and its end.
 *
 * Invariant: never more than the limit is held, and what was left out is said, in bytes, where it was.
 */
import type { Readable } from 'node:stream';

export class CapturedOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #tail: Buffer = Buffer.alloc(0);
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #room: number;
  #total = 0;

  constructor(stream: Readable, maxBytes: number, onData: (chunk: Buffer) => void = () => {}) {
    this.#half = Math.max(1, Math.floor(maxBytes / 2));
    this.#room = this.#half;
    stream.on('data', (chunk: Buffer) => {
      this.#take(chunk);
      onData(chunk);
    });
  }

  get isTruncated(): boolean {
    return this.#total > 2 * this.#half;
  }

  get text(): string {
    this.#fold();
    const head = Buffer.concat(this.#head);
    const leftOut = this.#total - head.length - this.#tail.length;
    if (leftOut === 0) return Buffer.concat([head, this.#tail]).toString();
    return `${head}\n… ${leftOut} bytes left out …\n${this.#tail}`;
  }

  #take(chunk: Buffer): void {
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#room);
    if (first.length > 0) this.#head.push(first);
    this.#room -= first.length;
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    // Folding now and then keeps both the memory and the copying within bounds.
    if (this.#pendingBytes > this.#half) this.#fold();
  }

  #fold(): void {
    if (this.#pending.length === 0) return;
    const all = Buffer.concat([this.#tail, ...this.#pending]);
    this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - this.#half)));
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}
