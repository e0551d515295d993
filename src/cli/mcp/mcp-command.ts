/**
 * `forerun mcp`: serves the tools over standard input and output, or over HTTP.
 *
 * Invariant: over standard input and output the handshake is answered before anything behind the tools is loaded.
 */
import { messageOf } from '../../base/failure.ts';
import { Log } from '../../base/log.ts';
import { ConnectionLogSink } from '../../mcp/log-sink.ts';
import type { McpServerOptions, ServedTools } from '../../mcp/served-connection.ts';
import { serveOverStdio } from '../../mcp/stdio.ts';
import type { ServerDefinition } from '../../servers/server-definition.ts';
import type { Skill } from '../../skills/skill.ts';
import type { RootBoundary } from '../../workspace/root-boundary.ts';
import { auditPathOf } from '../audit/audit-choice.ts';
import { cleanLater } from '../clean/clean-later.ts';
import type { Connection } from '../connection.ts';
import type { House } from '../house.ts';
import type { Life } from '../lifetime.ts';
import { version } from '../version.ts';
import { type HttpArguments, levelOfEnvironment, type McpArguments } from './mcp-arguments.ts';

export async function mcpCommand({ signal, closing }: Life, given: McpArguments): Promise<number> {
  const asked = levelOfEnvironment(process.env);
  const newSink = () =>
    new ConnectionLogSink(given.logLevel ?? asked.level ?? 'info', (line) =>
      process.stderr.write(`${line}\n`),
    );
  const logSink = newSink();
  const log = new Log(logSink.write);
  if (asked.unknown !== undefined) log.warning('log.unknown-level', { level: asked.unknown, used: 'info' });
  // A specification that cannot be read ends the program at once, not at the first call.
  const definitions = given.servers.kind === 'detect' ? ('detect' as const) : await readDefinitions(given);
  const boundary = given.roots && (await boundaryOf(given.roots));
  const door = new Door(given, { definitions, boundary }, { log, signal });
  if (given.http) {
    door.announce();
    const connect = () => door.connection(newSink(), 'memory');
    await serveHttp(given.http, { connect, log }, signal);
  } else {
    await serveOverStdio(door.connection(logSink, 'kept', log), signal);
  }
  closing();
  await door[Symbol.asyncDispose]();
  return 0;
}

/** Loaded only where roots were given: it would delay every start. */
async function boundaryOf(roots: readonly string[]): Promise<RootBoundary> {
  const { RootBoundary: Boundary } = await import('../../workspace/root-boundary.ts');
  return Boundary.of(roots);
}

/** What the arguments allow every connection. */
interface Limits {
  readonly definitions: readonly ServerDefinition[] | 'detect';
  readonly boundary: RootBoundary | undefined;
}

/**
 * What all connections of this process come through. The house behind it is built when the first of them needs it.
 */
class Door implements AsyncDisposable {
  readonly #given: McpArguments;
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  readonly #firstCall = new AbortController();
  #house: Promise<House> | undefined;
  /** What `#house` has come to. */
  #opened: House | undefined;
  #status: Promise<AsyncDisposable | undefined> | undefined;
  #skills: Promise<readonly Skill[]> | undefined;
  readonly #endings = new Set<Promise<void>>();

  constructor(
    given: McpArguments,
    limits: Limits,
    { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
  ) {
    this.#given = given;
    this.#limits = limits;
    this.#log = log;
    this.#signal = signal;
  }

  connection(
    logSink: ConnectionLogSink,
    sessions: 'kept' | 'memory',
    log = new Log(logSink.write),
  ): McpServerOptions {
    let served: Promise<Connection> | undefined;
    const load = (): Promise<ServedTools> => {
      served ??= this.#connect(log, sessions);
      return served;
    };
    const release = (): void => {
      if (served) this.#end(served);
    };
    const called = () => this.#firstCall.abort(new Error('a tool was called'));
    return { version, log, logSink, load, called, release, skills: () => this.#shipped() };
  }

  /** Ends a connection of which the client has gone; disposing the door waits for it. */
  #end(served: Promise<Connection>): void {
    const ending = served
      .then((connection) => connection[Symbol.asyncDispose]())
      // One that was never made has failed by name to whoever asked for it.
      .catch((thrown: unknown) => this.#log.debug('mcp.unconnected', { error: messageOf(thrown) }))
      .finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  /** From now on `forerun status` can ask this process how it is. */
  announce(): void {
    this.#status ??= this.#listen().catch((thrown: unknown) => {
      this.#log.warning('status.failed', { code: 'cli/status-failed', error: messageOf(thrown) });
      return undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#endings);
    const [house, status] = await Promise.all([this.#house?.catch(() => undefined), this.#status]);
    await Promise.all([house?.[Symbol.asyncDispose](), status?.[Symbol.asyncDispose]()]);
  }

  async #listen(): Promise<AsyncDisposable> {
    const [{ answerStatus }, { runDirectories }, { ownStatus }] = await Promise.all([
      import('../status/status-listener.ts'),
      import('../status/run-directory.ts'),
      import('../status/own-status.ts'),
    ]);
    const door = this.#given.http ? 'forerun mcp --http' : 'forerun mcp';
    const describe = () => {
      const house = this.#opened;
      return ownStatus(door, house && { workspaces: house.registry, sessions: house.connected });
    };
    return answerStatus({ directories: runDirectories(process.env), describe, log: this.#log });
  }

  async #connect(log: Log, sessions: 'kept' | 'memory'): Promise<Connection> {
    const [{ connect }, house] = await Promise.all([import('../connection.ts'), this.#open()]);
    const skills = () => this.#shipped();
    return connect(house, { log, skills, sessions, toolset: this.#given.toolset ?? 'full' });
  }

  #open(): Promise<House> {
    const auditPath = auditPathOf(this.#given.auditLog, process.env);
    const options = {
      ...this.#limits,
      log: this.#log,
      sessions: 'memory',
      daemon: this.#given.daemon,
      auditPath,
    } as const;
    this.#house ??= import('../house.ts').then(async ({ House }) => {
      const house = new House({ ...options, trust: await this.#granted() });
      this.#opened = house;
      this.announce();
      cleanLater(this.#log, this.#signal);
      if (!this.#given.http) this.#prepare(house);
      return house;
    });
    return this.#house;
  }

  /** The workspace this process is started in, where `--trust` says so; what a client opens besides is not covered. */
  async #granted(): Promise<readonly string[]> {
    if (!this.#given.trust) return [];
    const { workspaceDirectory } = await import('../trust/workspace-directory.ts');
    return [await workspaceDirectory(process.cwd(), process.env, this.#signal)];
  }

  /** A client that starts its own server starts it where it works: that workspace is what it will ask about first. */
  #prepare(house: House): void {
    const prepared = async (): Promise<void> => {
      const taken = await house.registry.attachToRunning(process.cwd(), this.#signal);
      const { rehearse } = await import('./rehearsal.ts');
      const signal = AbortSignal.any([this.#signal, this.#firstCall.signal]);
      for (const server of taken) await rehearse(house, server, signal);
    };
    prepared().catch((thrown: unknown) => this.#log.debug('mcp.unprepared', { error: messageOf(thrown) }));
  }

  #shipped(): Promise<readonly Skill[]> {
    this.#skills ??= import('../skills/shipped-skills.ts').then(({ shippedSkills }) =>
      shippedSkills(this.#log),
    );
    return this.#skills;
  }
}

async function serveHttp(
  http: HttpArguments,
  { connect, log }: { readonly connect: () => McpServerOptions; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { accessOf } = await import('./http-access.ts');
  const token = await accessOf(http, process.env, log);
  const { serveOverHttp } = await import('../../mcp/serve-http.ts');
  const { address, port, allowedHosts } = http;
  const onListening = (url: string): void => log.info('http.listening', { url });
  await serveOverHttp({ address, port, allowedHosts, token, connect, onListening, log }, signal);
}

async function readDefinitions(given: McpArguments): Promise<readonly ServerDefinition[] | 'detect'> {
  const { definitionsOf } = await import('./server-choice.ts');
  const directories = [process.cwd(), ...(given.roots ?? [])];
  return definitionsOf(given.servers, { directories, env: process.env });
}
