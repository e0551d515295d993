/**
 * Terminals as one feature of the editor.
 *
 * Invariants: a terminal is opened by a request of a page alone, never by the agent or the workspace. It runs the user's own
 * shell with the user's own environment, so trust in the workspace is no part of it. Terminals outlive pages and end with
 * the editor.
 */
import { basename } from 'node:path';
import { Failure, messageOf } from '../../base/failure.ts';
import type { EditorContext } from '../editor-context.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { terminalMethods } from '../protocol/terminal.ts';
import type { Snapshot } from '../protocol.ts';
import { ShellTerminal, type TerminalSize } from './shell-terminal.ts';

type TerminalMethod = keyof typeof terminalMethods;

/** A page waits at each of its terminals, and the requests of a page are limited. */
const mostTerminals = 16;

export class TerminalFeature implements EditorFeature<TerminalMethod> {
  readonly #context: EditorContext;
  readonly #open = new Map<string, ShellTerminal>();
  #count = 0;

  constructor(context: EditorContext) {
    this.#context = context;
  }

  readonly handlers: Handlers<TerminalMethod> = {
    'terminal.open': async (size) => ({ id: await this.#start(size) }),
    'terminal.read': ({ id, from }, _source, signal) => this.#require(id).read(from, signal),
    'terminal.write': async ({ id, text }) => {
      this.#require(id).write(text);
      return {};
    },
    'terminal.resize': async ({ id, ...size }) => {
      this.#require(id).resize(size);
      this.#publish();
      return {};
    },
    'terminal.close': async ({ id }) => {
      const terminal = this.#require(id);
      this.#open.delete(id);
      this.#publish();
      await terminal[Symbol.asyncDispose]();
      return {};
    },
  };

  snapshot(): Pick<Snapshot, 'terminals'> {
    return { terminals: this.#states };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.values()].map((terminal) => terminal[Symbol.asyncDispose]()));
    this.#open.clear();
  }

  async #start({ columns, rows }: TerminalSize): Promise<string> {
    if (this.#open.size >= mostTerminals) throw new TooManyTerminals(mostTerminals);
    const { spawn } = await pseudoTerminals();
    const { live, forerun, signal } = this.#context;
    signal.throwIfAborted();
    this.#count += 1;
    const id = `terminal-${this.#count}`;
    const shell = shellOf(forerun.env);
    const env = { ...forerun.env, TERM: 'xterm-256color', COLORTERM: 'truecolor' };
    const cwd = live.workspace.root;
    const pty = spawn(shell, [], { name: 'xterm-256color', cols: columns, rows, cwd, env });
    const terminal = new ShellTerminal(pty, { id, title: basename(shell) });
    terminal.changed.subscribe((what) => {
      if (what === 'ended' && this.#open.has(id)) this.#publish();
    });
    this.#open.set(id, terminal);
    this.#publish();
    return id;
  }

  #require(id: string): ShellTerminal {
    const terminal = this.#open.get(id);
    if (!terminal) throw new NoSuchTerminal(id);
    return terminal;
  }

  get #states(): NonNullable<Snapshot['terminals']> {
    return [...this.#open.values()].map(({ id, title, size, exitCode }) => ({
      id,
      title,
      ...size,
      ...(exitCode !== undefined && { exitCode }),
    }));
  }

  #publish(): void {
    this.#context.publish({ kind: 'terminal.changed', terminals: this.#states });
  }
}

/** It has a part for each system, which may be missing on this one. */
async function pseudoTerminals(): Promise<typeof import('@lydell/node-pty')> {
  try {
    return await import('@lydell/node-pty');
  } catch (thrown) {
    throw new NoPseudoTerminals(thrown);
  }
}

function shellOf(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return env.ComSpec ?? 'cmd.exe';
  return env.SHELL !== undefined && env.SHELL !== '' ? env.SHELL : '/bin/sh';
}

class NoPseudoTerminals extends Failure {
  readonly code = 'editor/no-pseudo-terminals';
  readonly remedy = 'Install Forerun again with its optional dependencies: npm install --include=optional.';

  constructor(cause: unknown) {
    const [reason] = messageOf(cause).split('\n');
    super(`terminals need the package @lydell/node-pty, which cannot be loaded: ${reason}`, { cause });
  }
}

class NoSuchTerminal extends Failure {
  readonly code = 'editor/no-such-terminal';
  readonly remedy = 'Open a new terminal.';

  constructor(id: string) {
    super(`${id} is closed`);
  }
}

class TooManyTerminals extends Failure {
  readonly code = 'editor/too-many-terminals';
  readonly remedy = 'Close one first.';

  constructor(most: number) {
    super(`${most} terminals are open`);
  }
}
