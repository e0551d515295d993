/**
 * One shell on a pseudo-terminal.
 *
 * Invariants: its output is kept, bounded, whether a page reads it or not; reading never slows the shell. When disposal
 * resolves, the shell has ended. Should this process die, the system closes the terminal, which hangs the shell up.
 */
import type { IPty } from '@lydell/node-pty';
import { Channel, nextOf } from '../../base/channel.ts';
import { KeptOutput } from './kept-output.ts';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** How long a shell may take to end after it was hung up. */
const hangUpMs = 2_000;

export class ShellTerminal implements AsyncDisposable {
  readonly id: string;
  readonly title: string;
  /** Emits when there is more to read, and when the shell has ended. */
  readonly changed = new Channel<'output' | 'ended'>();
  readonly #pty: IPty;
  readonly #output = new KeptOutput();
  readonly #exited: Promise<void>;
  #exitCode: number | undefined;

  constructor(pty: IPty, { id, title }: { readonly id: string; readonly title: string }) {
    this.#pty = pty;
    this.id = id;
    this.title = title;
    pty.onData((text) => {
      this.#output.add(text);
      this.changed.emit('output');
    });
    this.#exited = new Promise((resolve) => {
      pty.onExit(({ exitCode }) => {
        this.#exitCode = exitCode;
        resolve();
        this.changed.emit('ended');
      });
    });
  }

  /** Undefined while the shell runs. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  get size(): TerminalSize {
    return { columns: this.#pty.cols, rows: this.#pty.rows };
  }

  /** What follows an offset, as soon as there is something; empty once the shell has ended. */
  async read(from: number, signal: AbortSignal): Promise<{ readonly start: number; readonly text: string }> {
    while (this.#output.end <= from && this.#exitCode === undefined) await nextOf(this.changed, signal);
    return this.#output.after(from);
  }

  write(text: string): void {
    if (this.#exitCode === undefined) this.#pty.write(text);
  }

  resize({ columns, rows }: TerminalSize): void {
    if (this.#exitCode === undefined) this.#pty.resize(columns, rows);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#exitCode !== undefined) return;
    this.#pty.kill('SIGHUP');
    const limit = setTimeout(() => this.#pty.kill('SIGKILL'), hangUpMs);
    await this.#exited;
    clearTimeout(limit);
  }
}
