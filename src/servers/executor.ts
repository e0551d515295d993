/**
 * Lends the servers of one workspace, each showing exactly the overlay of whoever holds it.
 *
 * Invariants: nobody talks to a server except through a lease; locks are per server, never per session;
 * what a server says under one overlay is never attributed to another.
 */
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { ServerTransport } from '../lsp/server-options.ts';
import { Overlay } from '../overlay/overlay.ts';
import { WorkspaceWatcher } from '../workspace/watcher.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { BaselineDiagnostics } from './baseline-diagnostics.ts';
import { DiskState } from './disk-state.ts';
import { bearsOn } from './file-bearing.ts';
import type { LanguageId } from './language.ts';
import { Lease } from './lease.ts';
import { changesOf, effectOf, noEffect, type OverlayEffect } from './overlay-effect.ts';
import type { FileDiagnostics } from './proof.ts';
import type { Reach } from './reach/reach-graph.ts';
import { startReplica } from './replica-start.ts';
import type { ServerDefinition } from './server-definition.ts';
import { ServerPool } from './server-pool.ts';
import type { LocatedServer, ServerRegister } from './server-register.ts';
import { type Scope, type Way, wayToShow } from './way.ts';
import { WorkspaceReach } from './workspace-reach.ts';

export interface ExecutorOptions {
  readonly workspace: Workspace;
  readonly register: ServerRegister;
  /** How many replicas of one server may run at once. */
  readonly poolSize: number;
  readonly readyTimeoutMs?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** An overlay, the server that judges it and how that server will be shown it. */
export interface Showing {
  readonly located: LocatedServer;
  readonly effect: OverlayEffect;
  readonly way: Way;
}

type TcpTransport = ServerTransport & { readonly kind: 'tcp' };

/** A server somebody else started. */
interface Connection {
  readonly transport: TcpTransport;
  readonly located: LocatedServer;
}

export class Executor implements AsyncDisposable {
  readonly workspace: Workspace;
  readonly disk: DiskState;
  readonly #options: ExecutorOptions;
  readonly #log: Log;
  readonly #life = new AbortController();
  readonly #pools = new Map<string, ServerPool>();
  readonly #baselines = new Map<string, BaselineDiagnostics>();
  readonly #connections = new Map<string, Connection>();
  readonly #reach: WorkspaceReach;
  #watcher: Promise<WorkspaceWatcher> | undefined;
  #isWatching = false;
  #buffers: Overlay;

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#log = options.log.child('servers');
    this.workspace = options.workspace;
    this.disk = new DiskState(options.workspace);
    this.#reach = new WorkspaceReach(options.workspace, this.disk);
    this.#buffers = Overlay.on(this.disk.source);
    this.disk.changes.subscribe((events) => {
      for (const pool of this.#pools.values()) {
        if (events.length > 0) pool.hear(events);
        else this.#renew(pool);
      }
    });
  }

  /** The server for a language, found on this machine or connected to; fails with the way to install it. */
  async serverFor(language: LanguageId, signal: AbortSignal): Promise<LocatedServer> {
    for (const { located } of this.#connections.values()) {
      if (located.definition.languages.includes(language)) return located;
    }
    return this.#options.register.locate(language, this.workspace, signal);
  }

  /** The language by which a file is routed to its server. */
  languageFor(path: WorkspacePath): LanguageId {
    return this.#options.register.languageFor(path);
  }

  /** Text that tools see in place of the disk's, until the document is closed. */
  get buffers(): Overlay {
    return this.#buffers;
  }

  setBuffers(buffers: Overlay): void {
    this.#buffers = buffers;
  }

  /** A server that shows the disk with the open buffers laid over it, as plain tools see it. */
  async leaseBuffers(language: LanguageId, signal: AbortSignal): Promise<Lease> {
    return this.lease(this.#buffers, language, signal);
  }

  /** A server that shows exactly `overlay`. */
  async lease(overlay: Overlay, language: LanguageId, signal: AbortSignal): Promise<Lease> {
    return this.leaseShowing(await this.showing(overlay, { language }, signal), signal);
  }

  async showing(
    overlay: Overlay,
    { language, scope = 'file' }: { readonly language: LanguageId; readonly scope?: Scope },
    signal: AbortSignal,
  ): Promise<Showing> {
    const [located, whole] = await Promise.all([this.serverFor(language, signal), effectOf(overlay)]);
    // A server is not shown what is nothing to it: some fall over a document of another language.
    const effect = new Map([...whole].filter(([path]) => bearsOn(located.definition, path)));
    const way = wayToShow(located.definition, effect, { scope, isOnDisk: (path) => this.disk.exists(path) });
    return { located, effect, way };
  }

  async leaseShowing({ located, effect, way }: Showing, signal: AbortSignal): Promise<Lease> {
    await this.#watch();
    const held = await this.#pool(located, way).acquire(signal);
    try {
      this.disk.refresh();
      await held.replica.show(effect);
      return new Lease(held, this.#log);
    } catch (thrown) {
      held.release();
      throw thrown;
    }
  }

  /**
   * The diagnostics of the workspace before any edit, measured only where no session has needed them before.
   * Where `showing` has an effect (files put back to what a session read), the answer is nobody else's and
   * is not kept.
   */
  async baseline(
    showing: Showing,
    paths: readonly WorkspacePath[],
    options: { readonly timeoutMs: number },
    signal: AbortSignal,
  ): Promise<readonly FileDiagnostics[]> {
    const { located, way } = showing;
    if (showing.effect.size > 0) {
      await using lease = await this.leaseShowing(showing, signal);
      return await lease.diagnostics(paths, options, signal);
    }
    this.disk.refresh();
    const baseline = this.#baseline(located.definition, way);
    const known = () => paths.filter((path) => baseline.get(path) !== undefined);
    let measured: readonly FileDiagnostics[] = [];
    if (known().length < paths.length) {
      await using lease = await this.leaseShowing({ located, effect: noEffect, way }, signal);
      const missing = paths.filter((path) => baseline.get(path) === undefined);
      const epoch = this.disk.epoch;
      measured = await lease.diagnostics(missing, options, signal);
      baseline.keep(measured, epoch);
    }
    const byPath = new Map(measured.map((answer) => [answer.path, answer]));
    return paths.flatMap((path) => baseline.get(path) ?? byPath.get(path) ?? []);
  }

  /** Whether changes on disk are heard of as they happen; false also before the first lease. */
  get isWatching(): boolean {
    return this.#isWatching;
  }

  /** Every file whose diagnostics the overlay may change. */
  async reach(overlay: Overlay, { located }: Showing, signal: AbortSignal): Promise<Reach> {
    await this.#watch();
    this.disk.refresh();
    const changes = (await changesOf(overlay)).filter(({ path }) => bearsOn(located.definition, path));
    return this.#reach.of(located.definition, changes, signal);
  }

  /** Starts the server of a language, or takes the one that listens at `connect`. */
  async start(
    language: LanguageId,
    options: { readonly connect?: TcpTransport; readonly readyTimeoutMs?: number },
    signal: AbortSignal,
  ): Promise<LocatedServer> {
    if (options.connect) await this.#connect(language, options.connect);
    const located = await this.serverFor(language, signal);
    await using lease = await this.leaseShowing({ located, effect: noEffect, way: 'buffers' }, signal);
    if (options.readyTimeoutMs) await lease.server.progress.isIdleWithin(options.readyTimeoutMs, signal);
    return located;
  }

  /** Ends the servers of a language, or all; the next lease starts them afresh. */
  async restart(name: string | undefined): Promise<void> {
    const pools = [...this.#pools].filter(([key]) => name === undefined || key.startsWith(`${name}/`));
    await Promise.all(pools.map(([, pool]) => pool.restart()));
    this.#baselines.clear();
  }

  /** The servers running now, for status and for waiting on what they are busy with. */
  get pools(): readonly ServerPool[] {
    return [...this.#pools.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#life.abort(new Error('the workspace was closed'));
    await Promise.all([...this.#pools.values()].map((pool) => pool[Symbol.asyncDispose]()));
    const watcher = await this.#watcher?.catch(() => undefined);
    await watcher?.[Symbol.asyncDispose]();
  }

  /** A server that runs elsewhere takes the place of the one we would start. */
  async #connect(language: LanguageId, transport: TcpTransport): Promise<void> {
    const definition = this.#options.register.definitionFor(language);
    const key = `${definition.name}/buffers`;
    await this.#pools.get(key)?.[Symbol.asyncDispose]();
    this.#pools.delete(key);
    this.#connections.set(definition.name, { transport, located: { definition, command: [] } });
  }

  #pool(located: LocatedServer, way: Way): ServerPool {
    const key = `${located.definition.name}/${way}`;
    const known = this.#pools.get(key);
    if (known) return known;
    const { workspace, env, poolSize, readyTimeoutMs } = this.#options;
    const transport = this.#connections.get(located.definition.name)?.transport ?? { kind: 'stdio' };
    const pool = new ServerPool({
      name: located.definition.name,
      size: transport.kind === 'tcp' ? 1 : poolSize,
      log: this.#log,
      start: (signal) => {
        const { definition, command } = located;
        const parts = { definition, command, transport, workspace, disk: this.disk, env, readyTimeoutMs };
        return startReplica({ ...parts, log: this.#log }, way, signal);
      },
    });
    this.#pools.set(key, pool);
    return pool;
  }

  /** Changes were missed, and no server can be told which: each is replaced by one that reads the disk anew. */
  #renew(pool: ServerPool): void {
    pool.renew().catch((thrown: unknown) => {
      this.#log.warning('server.renewal-failed', {
        code: 'servers/renewal-failed',
        error: messageOf(thrown),
      });
    });
  }

  #baseline(definition: ServerDefinition, way: Way): BaselineDiagnostics {
    const key = `${definition.name}/${way}`;
    const known = this.#baselines.get(key);
    if (known) return known;
    const baseline = new BaselineDiagnostics(this.disk);
    this.#baselines.set(key, baseline);
    return baseline;
  }

  /** Watching begins before the first server reads a file, so no change falls between the two. */
  #watch(): Promise<WorkspaceWatcher> {
    this.#watcher ??= WorkspaceWatcher.start(this.workspace, this.#log, this.#life.signal).then((watcher) => {
      watcher.changes.subscribe((events) => this.disk.report(events));
      this.#isWatching = watcher.isWatching;
      return watcher;
    });
    return this.#watcher;
  }
}
