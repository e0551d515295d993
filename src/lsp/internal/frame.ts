/**
 * Content-Length frames on a stream.
 *
 * Invariants: the first byte that cannot belong to the protocol ends the reading with `ProtocolGarbage`; nothing is
 * skipped in the hope of finding a frame later. Messages are sent in order; those of one turn of the event loop are sent
 * in one system call.
 */
import type { Readable, Writable } from 'node:stream';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageWriter,
} from 'vscode-jsonrpc/node';
import { isRecord } from '../../base/record.ts';
import { ProtocolGarbage } from '../server-failure.ts';

export class FrameReader extends AbstractMessageReader {
  readonly #stream: Readable;
  #chunks: Buffer[] = [];
  #length = 0;
  /** How many bytes are needed before parsing can continue. */
  #wanted = 1;
  #bodyLength: number | undefined;

  constructor(stream: Readable) {
    super();
    this.#stream = stream;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer): void => {
      try {
        this.#read(chunk, callback);
      } catch (thrown) {
        stop();
        // The rest is read and dropped, so that the sender can exit instead of blocking on a full pipe.
        this.#stream.resume();
        this.fireError(thrown);
      }
    };
    const onError = (error: Error): void => this.fireError(error);
    const onEnd = (): void => this.fireClose();
    const stop = (): void => {
      this.#stream.off('data', onData);
      this.#chunks = [];
    };
    this.#stream.on('data', onData).on('error', onError).once('end', onEnd).once('close', onEnd);
    return { dispose: stop };
  }

  #read(chunk: Buffer, callback: DataCallback): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#wanted) {
      const bytes = this.#joined();
      if (this.#bodyLength === undefined) this.#readHeader(bytes);
      else {
        const body = bytes.toString('utf8', 0, this.#bodyLength);
        this.#consume(bytes, this.#bodyLength);
        this.#bodyLength = undefined;
        this.#wanted = 1;
        callback(parseMessage(body));
      }
    }
  }

  #readHeader(bytes: Buffer): void {
    const end = bytes.indexOf(headerEnd);
    const text = bytes.toString('latin1', 0, end < 0 ? Math.min(bytes.length, maxHeaderBytes + 1) : end);
    if (
      text.length > maxHeaderBytes ||
      !headerStart.startsWith(text.slice(0, headerStart.length).toLowerCase())
    ) {
      throw new ProtocolGarbage(`expected a message header, got ${JSON.stringify(text.slice(0, 200))}`);
    }
    if (end < 0) {
      this.#wanted = bytes.length + 1;
      return;
    }
    const length = Number(text.match(contentLength)?.[1] ?? Number.NaN);
    if (!(length <= maxBodyBytes)) {
      throw new ProtocolGarbage(`no usable length in the header ${JSON.stringify(text)}`);
    }
    this.#consume(bytes, end + headerEnd.length);
    this.#bodyLength = length;
    this.#wanted = length;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const bytes = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }

  #consume(bytes: Buffer, count: number): void {
    const rest = bytes.subarray(count);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
  }
}

const headerEnd = '\r\n\r\n';
const maxHeaderBytes = 4096;
const maxBodyBytes = 256 * 1024 * 1024;

const contentLength = /^content-length:[ \t]*(\d+)[ \t]*$/im;

/** Both header fields of the protocol start with this word, which distinguishes a header from anything else. */
const headerStart = 'content-';

function parseMessage(body: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch (cause) {
    throw new ProtocolGarbage(`a message is not JSON: ${JSON.stringify(body.slice(0, 200))}`, { cause });
  }
  if (!isMessage(message)) {
    throw new ProtocolGarbage(`a message is not an object: ${JSON.stringify(body.slice(0, 200))}`);
  }
  return message;
}

/** The connection checks the rest; some servers omit `jsonrpc`. */
function isMessage(value: unknown): value is Message {
  return isRecord(value);
}

export class FrameWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #stream: Writable;
  #isCorked = false;

  constructor(stream: Writable) {
    super();
    this.#stream = stream;
    stream.on('error', (error) => this.fireError(error)).once('close', () => this.fireClose());
  }

  write(message: Message): Promise<void> {
    const body = JSON.stringify(message);
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#stream.cork();
      process.nextTick(this.#uncork);
    }
    this.#stream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    // A failed write is reported by the stream's error event; no caller waits for the bytes to be sent.
    return written;
  }

  end(): void {
    this.#stream.end();
  }

  readonly #uncork = (): void => {
    this.#isCorked = false;
    this.#stream.uncork();
  };
}

const written: Promise<void> = Promise.resolve();
