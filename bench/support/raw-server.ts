/**
 * The simplest possible client of a language server: the cost of a change without caching, pooling or proofs.
 *
 * It shares with Forerun how the server's command is found and which settings it is given, and nothing else.
 *
 * Invariant: disposing it ends the process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { languageId } from '../../src/servers/language.ts';
import { type LocatedServer, ServerRegister } from '../../src/servers/server-register.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import type { BenchWorkspace } from './bench-workspace.ts';
import { rangeOf, type SampleEdit } from './sample-edit.ts';

/** Whether the client pulls diagnostics or waits for them to be published. */
export type Diagnostics = 'pull' | 'push';

export class RawServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #root: string;
  readonly #language: string;
  readonly #versions = new Map<string, number>();
  readonly #published = new Map<string, number>();
  readonly #didChangeExtras: Readonly<Record<string, unknown>>;
  #onPublication: (publication: Publication) => void = () => {};

  private constructor(
    child: ChildProcess,
    connection: MessageConnection,
    workspace: BenchWorkspace,
    definition: LocatedServer['definition'],
  ) {
    this.#child = child;
    this.#didChangeExtras = definition.quirks.didChangeExtras ?? {};
    this.#connection = connection;
    this.#root = workspace.root;
    this.#language = workspace.language;
    connection.onNotification('textDocument/publishDiagnostics', (params: Publication) => {
      this.#published.set(params.uri, params.diagnostics.length);
      this.#onPublication(params);
    });
  }

  static async start(
    workspace: BenchWorkspace,
    diagnostics: Diagnostics,
    signal: AbortSignal,
  ): Promise<RawServer> {
    const { command, definition } = await locate(workspace, signal);
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd: workspace.root, stdio: ['pipe', 'pipe', 'ignore'] });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const settings = diagnostics === 'push' ? publishing(definition.settings) : definition.settings;
    connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section?: string }[] }) =>
      items.map(({ section = '' }) => sectionOf(settings, section)),
    );
    for (const method of acknowledged) connection.onRequest(method, () => null);
    connection.listen();
    const server = new RawServer(child, connection, workspace, definition);
    const rootUri = pathToFileURL(workspace.root).href;
    await connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: workspace.root }],
      capabilities: capabilitiesFor(diagnostics),
      initializationOptions: diagnostics === 'pull' ? definition.initializationOptions : undefined,
    });
    await connection.sendNotification('initialized', {});
    return server;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async open(path: string): Promise<void> {
    const text = await readFile(join(this.#root, path), 'utf8');
    await this.openWith(path, text);
  }

  async openWith(path: string, text: string): Promise<void> {
    const textDocument = {
      uri: this.uri(path),
      languageId: this.#language,
      version: this.#next(path),
      text,
    };
    await this.#connection.sendNotification('textDocument/didOpen', { textDocument });
  }

  async close(path: string): Promise<void> {
    await this.#connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: this.uri(path) },
    });
  }

  async apply(edit: SampleEdit, round: number): Promise<void> {
    await this.#change(edit, edit.replaces, edit.replacement(round));
  }

  async revert(edit: SampleEdit, round: number): Promise<void> {
    await this.#change(edit, edit.replacement(round), edit.replaces);
  }

  /** How many diagnostics the server has for a file; an answer to a request sent just now. */
  async pull(path: string): Promise<number> {
    const report: { items: readonly unknown[] } = await this.#connection.sendRequest(
      'textDocument/diagnostic',
      { textDocument: { uri: this.uri(path) } },
    );
    return report.items.length;
  }

  /** The answer to any other question, as it came. */
  ask<Answer>(method: string, params: object): Promise<Answer> {
    return this.#connection.sendRequest(method, params);
  }

  uri(path: string): string {
    return pathToFileURL(join(this.#root, path)).href;
  }

  /** Waits until nothing was published for so long; answers how many diagnostics were last published for a file. */
  async quiet(path: string, quietMs: number): Promise<number> {
    await new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, quietMs);
      this.#onPublication = () => {
        clearTimeout(timer);
        timer = setTimeout(resolve, quietMs);
      };
    });
    this.#onPublication = () => {};
    return this.#published.get(this.uri(path)) ?? 0;
  }

  /** Makes the edit as one that is answered at once, and waits for what is published of that very text. */
  async applyUntilPublished(edit: SampleEdit, round: number): Promise<number> {
    return this.#changeUntilPublished(edit, edit.replaces, edit.replacement(round));
  }

  async revertUntilPublished(edit: SampleEdit, round: number): Promise<void> {
    await this.#changeUntilPublished(edit, edit.replacement(round), edit.replaces);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.dispose();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  async #changeUntilPublished(edit: SampleEdit, from: string, to: string): Promise<number> {
    const uri = this.uri(edit.path);
    const awaited = (this.#versions.get(edit.path) ?? 0) + 1;
    const published = new Promise<number>((resolve) => {
      this.#onPublication = ({ uri: about, version = -1, diagnostics }) => {
        if (about === uri && version >= awaited) resolve(diagnostics.length);
      };
    });
    await this.#change(edit, from, to, this.#didChangeExtras);
    const found = await published;
    this.#onPublication = () => {};
    return found;
  }

  async #change(
    edit: SampleEdit,
    from: string,
    to: string,
    extras: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const { start } = rangeOf(edit);
    const range = { start, end: { line: start.line, character: start.character + from.length } };
    await this.#connection.sendNotification('textDocument/didChange', {
      ...extras,
      textDocument: { uri: this.uri(edit.path), version: this.#next(edit.path) },
      contentChanges: [{ range, text: to }],
    });
  }

  #next(path: string): number {
    const version = (this.#versions.get(path) ?? 0) + 1;
    this.#versions.set(path, version);
    return version;
  }
}

/** The server Forerun would use for the workspace; undefined where the machine has none. */
export async function locate(workspace: BenchWorkspace, signal: AbortSignal): Promise<LocatedServer> {
  const register = new ServerRegister({ definitions: 'detect', env: process.env });
  const place = { workspace: await Workspace.open(workspace.root), trust: 'trusted' } as const;
  return register.locate(languageId(workspace.language), place, signal);
}

interface Publication {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly unknown[];
}

const acknowledged = [
  'client/registerCapability',
  'client/unregisterCapability',
  'window/workDoneProgress/create',
  'workspace/diagnostic/refresh',
  'workspace/semanticTokens/refresh',
  'workspace/inlayHint/refresh',
  'workspace/codeLens/refresh',
] as const;

function capabilitiesFor(diagnostics: Diagnostics): unknown {
  return {
    workspace: { configuration: true, workspaceFolders: true },
    textDocument: {
      synchronization: { dynamicRegistration: true },
      publishDiagnostics: { versionSupport: true },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      ...(diagnostics === 'pull' && { diagnostic: { dynamicRegistration: true } }),
    },
  };
}

/** Our settings keep gopls from publishing while a file is edited; a client that waits for publications must undo that. */
function publishing(settings: unknown): unknown {
  const { gopls } = { gopls: undefined, ...(settings ?? {}) };
  return gopls === undefined ? settings : { gopls: { ...(gopls as object), diagnosticsTrigger: 'Edit' } };
}

function sectionOf(settings: unknown, section: string): unknown {
  let found = settings;
  for (const key of section === '' ? [] : section.split('.')) {
    found = typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }
  return found ?? {};
}
