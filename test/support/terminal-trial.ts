/**
 * `forerun chat` in a real pseudo-terminal, on a scratch workspace and a model that says what the test wrote down.
 *
 * Invariant: nothing is asserted after a while; whatever a test waits for, it waits for the screen to show it.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { silentLog } from '../../src/base/log.ts';
import { isJsonObject, type JsonObject } from '../../src/model/json-value.ts';
import { TrustStore } from '../../src/workspace/trust.ts';
import { bin } from './built-program.ts';
import { nodeOptions } from './node-options.ts';
import { ScratchWorkspace } from './scratch-workspace.ts';
import { type RecordedRequest, ScriptedProvider } from './scripted-provider.ts';

export interface TerminalOptions {
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A workspace with a model to talk to, in which the program is started as often as a test likes. */
export class TerminalTrial implements AsyncDisposable {
  readonly scratch: ScratchWorkspace;
  readonly provider: ScriptedProvider;
  readonly home: string;
  readonly #shown: ShownTerminal[] = [];

  private constructor(scratch: ScratchWorkspace, provider: ScriptedProvider, home: string) {
    this.scratch = scratch;
    this.provider = provider;
    this.home = home;
  }

  /** `untrusted`: the person has never been asked about the workspace. */
  static async open(
    files: Readonly<Record<string, string>>,
    trust: 'trusted' | 'untrusted' = 'trusted',
  ): Promise<TerminalTrial> {
    const home = await mkdtemp(join(tmpdir(), 'forerun-terminal-home-'));
    const trial = new TerminalTrial(
      await ScratchWorkspace.create(files),
      await ScriptedProvider.open(),
      home,
    );
    if (trust === 'trusted') trial.store.trust(trial.scratch.workspace.root);
    return trial;
  }

  /** What the person has trusted. */
  get store(): TrustStore {
    return new TrustStore({ env: this.env, log: silentLog });
  }

  /** What the program finds in its environment: a home of its own, and the scripted model. */
  get env(): Readonly<Record<string, string>> {
    return {
      ...nodeOptions,
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      XDG_STATE_HOME: join(this.home, 'state'),
      XDG_CONFIG_HOME: join(this.home, 'config'),
      LANG: 'C.UTF-8',
      FORERUN_AUDIT_LOG: 'off',
      FORERUN_MODEL: 'openai-compatible/scripted',
      FORERUN_BASE_URL: this.provider.url,
    };
  }

  start(options: TerminalOptions = {}): ShownTerminal {
    const shown = new ShownTerminal(this, options);
    this.#shown.push(shown);
    return shown;
  }

  read(path: string): Promise<string> {
    return readFile(this.scratch.at(path), 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const shown of this.#shown) await shown.end();
    await this.provider[Symbol.asyncDispose]();
    await this.scratch[Symbol.asyncDispose]();
    await rm(this.home, { recursive: true, force: true });
  }
}

export class ShownTerminal {
  /** The code the program ended with. */
  readonly exited: Promise<number>;
  /** Every byte that was sent to the terminal. */
  sent = '';
  readonly #pty: IPty;
  readonly #screen: InstanceType<typeof xterm.Terminal>;
  readonly #changed = new Set<() => void>();
  #hasExited = false;

  constructor({ scratch, env }: TerminalTrial, options: TerminalOptions) {
    const { words = [], columns: cols = 80, rows = 30 } = options;
    this.#screen = new xterm.Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true });
    this.#pty = spawn(process.execPath, [bin, 'chat', ...words], {
      name: options.env?.TERM ?? 'xterm-256color',
      cols,
      rows,
      cwd: scratch.workspace.root,
      env: { ...env, ...options.env },
    });
    this.#pty.onData((data) => {
      this.sent += data;
      this.#screen.write(data, () => this.#tell());
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode }) => {
        this.#hasExited = true;
        // What was sent last may still be on its way to the screen.
        this.#screen.write('', () => {
          this.#tell();
          resolve(exitCode);
        });
      });
    });
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** All lines, those that have scrolled away included. */
  get lines(): readonly string[] {
    const { active } = this.#screen.buffer;
    const all = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? '',
    );
    return all.slice(0, all.findLastIndex((text) => text !== '') + 1);
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** The line with the cursor, and what stands left of it there. */
  get cursor(): { readonly line: string; readonly before: string } {
    const { active } = this.#screen.buffer;
    const row = active.getLine(active.baseY + active.cursorY);
    return {
      line: row?.translateToString(true).trimEnd() ?? '',
      before: row?.translateToString(false, 0, active.cursorX) ?? '',
    };
  }

  /** How the first character of a text is shown, wherever it stands last. */
  styleOf(text: string): { readonly isDim: boolean; readonly isBold: boolean; readonly colour: number } {
    const row = this.lines.findLastIndex((each) => each.includes(text));
    const cell = this.#screen.buffer.active.getLine(row)?.getCell(this.lines[row]?.indexOf(text) ?? 0);
    return { isDim: cell?.isDim() !== 0, isBold: cell?.isBold() !== 0, colour: cell?.getFgColor() ?? -1 };
  }

  /** What is written before the cursor, also where it goes on from the line above. */
  get typed(): string {
    const { active } = this.#screen.buffer;
    const at = active.baseY + active.cursorY;
    const above =
      active
        .getLine(at - 1)
        ?.translateToString(true)
        .trimEnd() ?? '';
    return above + (active.getLine(at)?.translateToString(false, 0, active.cursorX).trimStart() ?? '');
  }

  /** Waits until the screen shows something, or the signal says that nobody waits any more. */
  async until(
    isSo: (shown: this) => boolean,
    what: string,
    give: AbortSignal = AbortSignal.timeout(60_000),
  ): Promise<void> {
    while (!isSo(this)) {
      if (give.aborted) throw new Error(`never on the screen: ${what}\n${this.text}`);
      if (this.#hasExited) throw new Error(`the program ended before: ${what}\n${this.text}`);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#changed.delete(wake);
          give.removeEventListener('abort', wake);
          resolve();
        };
        this.#changed.add(wake);
        give.addEventListener('abort', wake);
      });
    }
  }

  untilText(text: string): Promise<void> {
    return this.until((shown) => shown.text.includes(text), JSON.stringify(text));
  }

  /** Waits for a prompt that may be written into. */
  untilPrompt(): Promise<void> {
    return this.until(({ cursor }) => cursor.before.startsWith('> '), 'a prompt');
  }

  async end(): Promise<void> {
    if (!this.#hasExited) this.#pty.kill('SIGTERM');
    await this.exited;
    this.#screen.dispose();
  }

  #tell(): void {
    for (const wake of [...this.#changed]) wake();
  }
}

/** The last thing that was said in a request, and by whom. */
export function lastSaid({ json }: RecordedRequest): { readonly role: string; readonly text: string } {
  const last: unknown = Array.isArray(json.messages) ? json.messages.at(-1) : undefined;
  const message: JsonObject = isJsonObject(last) ? last : {};
  const { role, content } = message;
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return { role: String(role), text };
}

/** Whether a request asks for the user's next input. */
export function asksForSuggestion(request: RecordedRequest): boolean {
  return lastSaid(request).text.includes('<next-input>');
}
