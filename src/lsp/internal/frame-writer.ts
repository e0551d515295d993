/**
 * Writes Content-Length frames to a stream.
 *
 * Invariant: messages are sent in order; those of one turn of the event loop are sent in one system call.
 */
import type { Writable } from 'node:stream';
import { AbstractMessageWriter, type Message, type MessageWriter } from 'vscode-jsonrpc/node';

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
