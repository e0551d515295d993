/**
 * The output of a command within a limit: its start, its end, or both.
 *
 * Invariant: at most about twice the limit is held while output arrives, at most the limit is returned, and a
 * character split by the limit is omitted.
 */
export type KeptPart = 'start' | 'end' | 'both-ends';

export interface CaptureOptions {
  readonly maxBytes: number;
  readonly keep: KeptPart;
  /** Called once, when the limit is exceeded. */
  readonly onFull?: (() => void) | undefined;
}

export class OutputCapture {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #onFull: () => void;
  readonly #head: Buffer[] = [];
  #room: number;
  #tail: Buffer = Buffer.alloc(0);
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #total = 0;

  constructor({ maxBytes, keep, onFull = () => {} }: CaptureOptions) {
    const half = Math.max(1, Math.floor(maxBytes / 2));
    this.#headBytes = keep === 'both-ends' ? half : keep === 'start' ? maxBytes : 0;
    this.#tailBytes = keep === 'both-ends' ? half : keep === 'end' ? maxBytes : 0;
    this.#room = this.#headBytes;
    this.#onFull = onFull;
  }

  /** Whether the output exceeded the limit. */
  get isTruncated(): boolean {
    return this.#total > this.#headBytes + this.#tailBytes;
  }

  append(chunk: Buffer): void {
    const wasTruncated = this.isTruncated;
    this.#total += chunk.length;
    const first = chunk.subarray(0, this.#room);
    if (first.length > 0) this.#head.push(first);
    this.#room -= first.length;
    if (this.#tailBytes > 0) this.#appendTail(chunk.subarray(first.length));
    if (!wasTruncated && this.isTruncated) this.#onFull();
  }

  /** The kept bytes, without a note about omitted ones. */
  bytes(): Buffer {
    this.#foldTail();
    return Buffer.concat([...this.#head, this.#tail]);
  }

  /** The kept text; if its middle is missing, a line between the two parts says how much. */
  toString(): string {
    if (!this.isTruncated) return this.bytes().toString();
    this.#foldTail();
    const head = withoutCutEnd(Buffer.concat(this.#head));
    const tail = withoutCutStart(this.#tail);
    if (this.#headBytes === 0 || this.#tailBytes === 0) return `${head}${tail}`;
    return `${head}\n… ${this.#total - head.length - tail.length} bytes left out …\n${tail}`;
  }

  #appendTail(rest: Buffer): void {
    if (rest.length === 0) return;
    this.#pending.push(rest);
    this.#pendingBytes += rest.length;
    // Folding occasionally bounds both memory and copying.
    if (this.#pendingBytes > this.#tailBytes) this.#foldTail();
  }

  #foldTail(): void {
    if (this.#pending.length === 0) return;
    const all = Buffer.concat([this.#tail, ...this.#pending]);
    this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - this.#tailBytes)));
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 4 && start < bytes.length && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

function isContinuation(byte: number | undefined): boolean {
  return ((byte ?? 0) & 0xc0) === 0x80;
}
