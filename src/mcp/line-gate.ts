/**
 * Filters standard input so that only JSON lines reach the protocol.
 *
 * Invariant: a line that is not JSON, or is too long, is answered with an error and dropped; other lines pass
 * unchanged.
 */
import { Transform, type TransformCallback } from 'node:stream';

interface LineFault {
  readonly code: -32700 | -32600;
  readonly message: string;
}

export interface LineGateOptions {
  readonly maxLineBytes: number;
  readonly onFault: (fault: LineFault) => void;
}

const newline = 0x0a;

export class LineGate extends Transform {
  readonly #options: LineGateOptions;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(options: LineGateOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#hold(chunk.subarray(from, end + 1));
      this.#release();
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
    done();
  }

  /** Beyond the limit only the length is kept, so that an endless line cannot fill the memory. */
  #hold(part: Buffer): void {
    this.#heldBytes += part.length;
    if (this.#heldBytes > this.#options.maxLineBytes) this.#held = [];
    else if (part.length > 0) this.#held.push(part);
  }

  #release(): void {
    const line = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held);
    const isTooLong = this.#heldBytes > this.#options.maxLineBytes;
    this.#held = [];
    this.#heldBytes = 0;
    if (isTooLong) {
      const limit = this.#options.maxLineBytes;
      this.#options.onFault({ code: -32600, message: `message exceeds ${limit} bytes` });
    } else if (isJson(line)) this.push(line);
    else if (line.toString().trim() !== '')
      this.#options.onFault({ code: -32700, message: 'message is not JSON' });
  }
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString());
    return true;
  } catch {
    return false;
  }
}
