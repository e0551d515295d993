/**
 * A broker in this process, with clients that reach it over a real socket.
 *
 * Invariant: disposing it ends its servers, hangs up on its clients and removes what it wrote.
 */
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { silentLog } from '../../src/base/log.ts';
import { Broker } from '../../src/broker/broker.ts';
import { LanguageServer } from '../../src/lsp/language-server.ts';
import type { ServerOptions } from '../../src/lsp/server-options.ts';
import type { WarmServers } from '../../src/servers/pool/warm-servers.ts';
import type { ServerDefinition } from '../../src/servers/server-definition.ts';
import { calm, World } from './world.ts';

export interface BrokerWorldOptions {
  /** The server; a function where its behaviour names files. */
  readonly definition?: ServerDefinition | ((uri: (path: string) => string) => ServerDefinition);
  readonly language: string;
  /** How many servers the broker may run. */
  readonly poolSize?: number;
}

export class BrokerWorld implements AsyncDisposable {
  /** The broker's own view: its live workspace runs the servers. */
  readonly keeper: World;
  readonly broker: Broker;
  readonly warm: WarmServers;
  readonly #definitions: readonly ServerDefinition[] | 'detect';
  readonly #listener: Server;
  readonly #socket: string;
  readonly #clients: AsyncDisposable[] = [];

  private constructor(parts: {
    keeper: World;
    broker: Broker;
    listener: Server;
    socket: string;
    definitions: readonly ServerDefinition[] | 'detect';
  }) {
    this.keeper = parts.keeper;
    this.broker = parts.broker;
    this.#definitions = parts.definitions;
    this.#listener = parts.listener;
    this.#socket = parts.socket;
    this.warm = { connect: async () => ({ kind: 'socket', path: parts.socket }), running: async () => [] };
  }

  static async open(
    files: Readonly<Record<string, string>>,
    options: BrokerWorldOptions,
  ): Promise<BrokerWorld> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-broker-')));
    const { definition } = options;
    const uri = (path: string): string => pathToFileURL(join(root, path)).href;
    const definitions =
      definition === undefined ? 'detect' : [typeof definition === 'function' ? definition(uri) : definition];
    const keeper = await World.open(files, { root, definitions, poolSize: options.poolSize ?? 1 });
    const { live, workspaces } = keeper;
    const language = workspaces.register.languageFor(`x.${extensionOf(options.language)}`);
    const located = await live.servers.locate(language, calm);
    const broker = new Broker({ live, located, version: 'test', identity: 'test', log: silentLog });
    const listener = createServer((socket) => broker.accept(socket));
    const socket = `${keeper.root}.sock`;
    listener.listen(socket);
    await once(listener, 'listening');
    return new BrokerWorld({ keeper, broker, listener, socket, definitions });
  }

  get root(): string {
    return this.keeper.root;
  }

  /** Another process, as far as the broker can tell: everything but the servers is its own. */
  async client(poolSize = 1): Promise<World> {
    const definitions = this.#definitions;
    const world = await World.open({}, { root: this.root, definitions, poolSize, warm: this.warm });
    this.#clients.push(world);
    return world;
  }

  /** A bare client, for what no world does on its own. */
  async wire(options: Partial<ServerOptions> = {}): Promise<LanguageServer> {
    const { live } = this.keeper;
    const rootUri = live.workspace.uri(live.workspace.path('.'));
    const server = await LanguageServer.start(
      {
        id: 'wire',
        command: [],
        cwd: this.root,
        rootUri,
        workspaceFolders: [{ uri: rootUri, name: 'root' }],
        diagnosticsMode: 'pull',
        transport: { kind: 'socket', path: this.#socket },
        ...options,
      },
      silentLog,
      calm,
    );
    this.#clients.push(server);
    return server;
  }

  uri(path: string): string {
    const { workspace } = this.keeper.live;
    return workspace.uri(workspace.path(path));
  }

  /** The process ids of the servers the broker runs. */
  get pids(): readonly number[] {
    return this.broker.state().servers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    this.broker[Symbol.dispose]();
    this.#listener.close();
    await this.keeper[Symbol.asyncDispose]();
    await rm(this.#socket, { force: true });
    await rm(this.root, { recursive: true, force: true });
  }
}

function extensionOf(language: string): string {
  return { typescript: 'ts', python: 'py', go: 'go', rust: 'rs' }[language] ?? language;
}
