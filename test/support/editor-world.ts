/**
 * An editor on a scratch workspace, served over loopback, and pages without a browser that connect to it.
 *
 * Invariant: disposing it closes its pages, ends its servers and removes what it wrote.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { silentLog } from '../../src/base/log.ts';
import { settingsOf } from '../../src/config/settings.ts';
import { type AgentOptions, Editor, type EditorOptions } from '../../src/editor/editor.ts';
import { EditorServer, type EditorServerOptions } from '../../src/editor/editor-server.ts';
import { Forerun, type ForerunOptions } from '../../src/host/forerun.ts';
import { EditorPage } from './editor-page.ts';
import { commitAll } from './git-workspace.ts';
import { ScratchWorkspace } from './scratch-workspace.ts';
import type { ScriptedProvider } from './scripted-provider.ts';
import { noModel, scriptedFinder } from './scripted-provider-client.ts';
import { calm } from './world.ts';

export interface EditorWorldOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A function is given the address of a file, for servers whose answers name one. */
  readonly definitions?:
    | ForerunOptions['definitions']
    | ((uri: (path: string) => string) => ForerunOptions['definitions']);
  readonly trust?: 'trusted' | 'untrusted';
  readonly limits?: EditorServerOptions['limits'];
  readonly absenceMs?: number;
  /** The model of the agent; absent: the editor has no agent. */
  readonly model?: ScriptedProvider;
  /** `none`: no model is found. */
  readonly modelState?: 'none';
  /** Whether the agent works ahead; absent: it does not, so that every request is one of the test's own turns. */
  readonly suggestions?: 'on';
  /** Variables of the user beside those of the test. */
  readonly env?: Readonly<Record<string, string>>;
  /** The built page; absent: none is served. */
  readonly webDirectory?: string;
  /** The files are the first commit of a repository; absent: there is none. */
  readonly git?: 'committed';
  /** The folder that is opened, from the root of the files; absent: the root itself. */
  readonly folder?: string;
}

function agentOf(provider: ScriptedProvider, { suggestions, modelState }: EditorWorldOptions): AgentOptions {
  return {
    settings: settingsOf(new Map([['speculation', new Map([['enabled', suggestions === 'on']])]])),
    find: modelState === 'none' ? noModel : scriptedFinder(provider),
  };
}

export class EditorWorld implements AsyncDisposable {
  readonly scratch: ScratchWorkspace;
  readonly editor: Editor;
  readonly server: EditorServer;
  /** Where the user's state lies. */
  readonly home: string;
  readonly #forerun: Forerun;
  readonly #pages: EditorPage[] = [];

  private constructor(parts: {
    readonly scratch: ScratchWorkspace;
    readonly editor: Editor;
    readonly server: EditorServer;
    readonly forerun: Forerun;
    readonly home: string;
  }) {
    this.scratch = parts.scratch;
    this.editor = parts.editor;
    this.server = parts.server;
    this.#forerun = parts.forerun;
    this.home = parts.home;
  }

  static async open(options: EditorWorldOptions = {}): Promise<EditorWorld> {
    const scratch = await ScratchWorkspace.create(options.files ?? {});
    if (options.git) await commitAll(scratch.workspace.root);
    const home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-editor-home-')));
    const env = {
      ...process.env,
      FORERUN_HOME: home,
      HOME: home,
      XDG_STATE_HOME: home,
      XDG_CACHE_HOME: home,
      // Where the toolchains of Rust are installed; the default depends on the home directory.
      CARGO_HOME: process.env.CARGO_HOME ?? join(homedir(), '.cargo'),
      RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
      ...options.env,
    };
    const { definitions = [] } = options;
    const forerun = new Forerun({
      definitions:
        typeof definitions === 'function'
          ? definitions((path) => pathToFileURL(scratch.at(path)).href)
          : definitions,
      log: silentLog,
      env,
      daemon: 'off',
      trust: options.trust === 'trusted' ? [scratch.workspace.root] : [],
    });
    const editorOptions: EditorOptions = {
      directory: scratch.at(options.folder ?? ''),
      log: silentLog,
      ...(options.absenceMs !== undefined && { absenceMs: options.absenceMs }),
      ...(options.model && { agent: agentOf(options.model, options) }),
    };
    const editor = await Editor.open(forerun, editorOptions, calm);
    const server = await EditorServer.start(
      editor,
      {
        port: 0,
        webDirectory: options.webDirectory ?? join(home, 'no-page'),
        log: silentLog,
        ...(options.limits && { limits: options.limits }),
      },
      calm,
    );
    return new EditorWorld({ scratch, editor, server, forerun, home });
  }

  /** A page that has entered and said hello. */
  async page(name?: string, lastSeq?: number): Promise<EditorPage> {
    const page = await EditorPage.open(this.server.url, { name, lastSeq });
    this.#pages.push(page);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const page of this.#pages) page[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
    await this.editor[Symbol.asyncDispose]();
    await this.#forerun[Symbol.asyncDispose]();
    await this.scratch[Symbol.asyncDispose]();
    await rm(this.home, { recursive: true, force: true });
  }
}
