/**
 * Reads keys from a terminal.
 *
 * Invariant: on disposal the terminal is restored: line editing on, bracketed paste off.
 */
import { Channel } from '../base/channel.ts';
import type { Key } from './prompt/key.ts';
import { KeyReader } from './prompt/key-reader.ts';
import type { TerminalOutput } from './screen.ts';

/** The input side of a terminal. */
export interface TerminalInput {
  setRawMode(isRaw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (chunk: string) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  off(event: 'data', listener: (chunk: string) => void): unknown;
  off(event: 'end', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Timeout for the rest of an escape sequence. A terminal sends it at once, a slow connection nearly so. */
const sequenceMs = 50;

/** Timeout for the end mark of a paste. Afterwards, input is read as keys again. */
const pasteMs = 5000;

export class Keyboard implements Disposable {
  /** The keys received at once: one key from a person, several from a program. */
  readonly pressed = new Channel<readonly Key[]>();
  /** Notifies when the terminal is closed. */
  readonly closed = new Channel<void>();
  readonly #input: TerminalInput;
  readonly #output: TerminalOutput;
  readonly #reader = new KeyReader();
  #timer: NodeJS.Timeout | undefined;

  constructor(input: TerminalInput, output: TerminalOutput) {
    this.#input = input;
    this.#output = output;
    input.setRawMode(true);
    input.setEncoding('utf8');
    output.write('\u001b[?2004h');
    input.on('data', this.#take);
    input.on('end', this.#end);
    input.resume();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#input.off('data', this.#take);
    this.#input.off('end', this.#end);
    this.#output.write('\u001b[?2004l');
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  readonly #take = (chunk: string): void => {
    clearTimeout(this.#timer);
    this.#emit(this.#reader.read(chunk));
    const { waitsFor } = this.#reader;
    if (waitsFor === undefined) return;
    const flush = () => this.#emit(this.#reader.flush());
    this.#timer = setTimeout(flush, waitsFor === 'paste' ? pasteMs : sequenceMs);
  };

  #emit(keys: readonly Key[]): void {
    if (keys.length > 0) this.pressed.emit(keys);
  }

  readonly #end = (): void => this.closed.emit();
}
