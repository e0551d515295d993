/**
 * Lends the servers of one workspace, each showing exactly the overlay of whoever holds it.
 *
 * Invariants: nobody talks to a server except through a lease; locks are per server, never per session;
 * what a server says under one overlay is never attributed to another.
 */
import type { Channel } from '../base/channel.ts';
import type { Log } from '../base/log.ts';
import type { Reach } from '../graph/reach/reach-graph.ts';
import type { CommitOptions, CommitOutcome } from '../overlay/commit/commit.ts';
import { Overlay } from '../overlay/overlay.ts';
import { exactWay } from '../servers/exact-way.ts';
import { bearsOn } from '../servers/file-bearing.ts';
import type { LanguageId } from '../servers/language.ts';
import { Lease } from '../servers/lease.ts';
import { changesOf, effectOf, noEffect, type OverlayEffect } from '../servers/overlay-effect.ts';
import type { Governor } from '../servers/pool/governor.ts';
import type { Replica } from '../servers/pool/replica.ts';
import { defaultReadyTimeoutMs } from '../servers/pool/replica-start.ts';
import type { ServerEvent } from '../servers/pool/server-event.ts';
import type { HeldReplica, ServerPool } from '../servers/pool/server-pool.ts';
import { termsIn } from '../servers/pool/starting-terms.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { Withheld } from '../servers/server-location.ts';
import type { LocatedServer, ServerRegister } from '../servers/server-register.ts';
import type { Scope, Way } from '../servers/way.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { Trust } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { BaselineOptions } from './baseline-diagnostics.ts';
import type { UndoOutcome } from './commit-history.ts';
import { DiskWatch } from './disk-watch.ts';
import { type Connection, ExecutorGround, type TcpTransport } from './executor-ground.ts';
import { KnownAnswers } from './references/known-answers.ts';
import { ServerSupply, type SupplyOptions } from './server-supply.ts';
import type { WorkspaceFolders } from './workspace-folders.ts';
import type { WorkspaceReach } from './workspace-reach.ts';

export interface ExecutorOptions extends SupplyOptions {
  readonly register: ServerRegister;
  readonly governor: Governor;
  /** Where answers are kept for the next question and the next process; absent: nowhere. */
  readonly cacheDirectory?: string | undefined;
  readonly log: Log;
}

/** An overlay, the server that judges it and how that server will be shown it. */
export interface Showing {
  readonly located: LocatedServer;
  readonly effect: OverlayEffect;
  readonly way: Way;
}

type Located = Pick<Showing, 'located'>;

export class Executor implements AsyncDisposable {
  readonly workspace: Workspace;
  readonly disk: DiskState;
  readonly #options: ExecutorOptions;
  readonly #log: Log;
  /** Everything but the buffers is held in common with the executors of other connections. */
  readonly #ground: ExecutorGround;
  readonly #pools: Map<string, ServerPool>;
  readonly #connections: Map<string, Connection>;
  readonly #reach: WorkspaceReach;
  readonly #watch: DiskWatch;
  readonly #supply: ServerSupply;
  /** What the servers answered about this workspace before. */
  readonly known: KnownAnswers;

  constructor(options: ExecutorOptions) {
    const { workspace, cacheDirectory, warm, env, log } = options;
    const ground = new ExecutorGround(workspace, options.governor, env);
    const servers = warm ? 'shared' : 'own';
    this.known = new KnownAnswers({ workspace, cacheDirectory, servers, env, log: log.child('servers') });
    this.#options = options;
    this.#log = options.log.child('servers');
    this.workspace = options.workspace;
    this.#ground = ground;
    this.disk = ground.disk;
    this.#pools = ground.pools;
    this.#connections = ground.connections;
    this.#reach = ground.reach;
    ground.watch ??= new DiskWatch(ground, this.#log);
    this.#watch = ground.watch;
    this.#supply = new ServerSupply(options, ground, this.#log);
    ground.hearDisk((events) => this.#supply.hear(events));
  }

  /** The server for a language, found on this machine or connected to; fails with the way to install it. */
  async serverFor(language: LanguageId, signal: AbortSignal): Promise<LocatedServer> {
    for (const { located } of this.#connections.values()) {
      if (located.definition.languages.includes(language)) return located;
    }
    const { workspace, trust } = this;
    const folders = this.folders.added.map(({ root }) => root);
    return this.#options.register.locate(language, { workspace, trust, folders }, signal);
  }

  /** What an untrusted workspace offers in place of the servers that were used here, or for their use. */
  get withheld(): readonly Withheld[] {
    if (this.trust === 'trusted') return [];
    const offered = [...this.#ground.locations.values()].flatMap(({ located }) => located.withheld ?? []);
    return [...new Map(offered.map((each) => [each.path, each])).values()];
  }

  /** Whether programs that the workspace or a folder added to it supplies may run, as of now. */
  get trust(): Trust {
    return this.#supply.trust;
  }

  /** How long answers wait for a server that is busy before they are given with that said. */
  get readyTimeoutMs(): number {
    return this.#options.readyTimeoutMs ?? defaultReadyTimeoutMs;
  }

  /** The language by which a file is routed to its server. */
  languageFor(path: WorkspacePath): LanguageId {
    return this.#options.register.languageFor(path);
  }

  /** What is known of servers, whether or not they are installed. */
  get register(): ServerRegister {
    return this.#options.register;
  }

  /** The directories its servers work on. */
  get folders(): WorkspaceFolders {
    return this.#ground.folders;
  }

  /** An overlay without changes, on the disk as it is when each file is first read. */
  emptyOverlay(): Overlay {
    return Overlay.on(new Baseline(this.disk.source));
  }

  /** Makes an overlay real: the one way by which anything reaches the files of this workspace. */
  commit(overlay: Overlay, options: CommitOptions, signal: AbortSignal): Promise<CommitOutcome> {
    return this.#ground.history.commit(overlay, options, signal);
  }

  /** Writes what an overlay changes below another directory and leaves this workspace alone. */
  writeInto(
    directory: string,
    overlay: Overlay,
    options: CommitOptions,
    signal: AbortSignal,
  ): Promise<CommitOutcome> {
    return this.#ground.history.writeInto(directory, overlay, options, signal);
  }

  /** Takes back what the last commit of this process did to the workspace. */
  undoLastCommit(signal: AbortSignal): Promise<UndoOutcome> {
    return this.#ground.history.undo(signal);
  }

  /** The files that `undoLastCommit` would change. */
  undoablePaths(): Promise<readonly WorkspacePath[]> {
    return this.#ground.history.undoable();
  }

  /** Diagnostics of the unedited files, whichever connection asked for them. */
  get diskDiagnostics(): Channel<readonly FileDiagnostics[]> {
    return this.#ground.measured;
  }

  /** Servers that came to rest, crashed or came back. */
  get serverEvents(): Channel<ServerEvent> {
    return this.#ground.serverEvents;
  }

  get started(): Channel<Replica> {
    return this.#ground.started;
  }

  async showing(
    overlay: Overlay,
    { language, scope = 'file' }: { readonly language: LanguageId; readonly scope?: Scope },
    signal: AbortSignal,
  ): Promise<Showing> {
    const [located] = await Promise.all([this.serverFor(language, signal), this.look(signal)]);
    const whole = await effectOf(overlay);
    // A server is not shown what is nothing to it: some fall over a document of another language.
    const effect = new Map([...whole].filter(([path]) => bearsOn(located.definition, path)));
    const way = await exactWay(located.definition, effect, { scope, disk: this.disk });
    return { located, effect, way };
  }

  leaseShowing(showing: Showing, signal: AbortSignal): Promise<Lease> {
    return this.#lend(showing, undefined, signal);
  }

  /** As `leaseShowing`; the diagnostics measured under the lease are published on `channel`. */
  leasePublished(
    showing: Showing,
    channel: Channel<readonly FileDiagnostics[]>,
    signal: AbortSignal,
  ): Promise<Lease> {
    return this.#lend(showing, channel, signal);
  }

  /** `measured` receives the diagnostics of the lease; absent for anything speculative. */
  async #lend(
    { located, effect, way }: Showing,
    measured: Channel<readonly FileDiagnostics[]> | undefined,
    signal: AbortSignal,
  ): Promise<Lease> {
    const terms = termsIn(located.definition, effect);
    // It starts on the disk as it was found when `showing` was made.
    const held = await (terms.size > 0
      ? this.#supply.holdApart(located, terms, signal)
      : this.hold(located, way, signal));
    try {
      await held.replica.show(effect);
      return new Lease(held, this.#log, measured);
    } catch (thrown) {
      held.release();
      throw thrown;
    }
  }

  /**
   * A server in the hands of somebody who decides themselves what it shows and when: a broker, whose clients each
   * bring their own documents. Everybody else leases.
   */
  async hold(located: LocatedServer, way: Way, signal: AbortSignal): Promise<HeldReplica> {
    await this.#watch.begin();
    const held = await this.#supply.pool(located, way).acquire(signal);
    try {
      await this.look(signal);
      return held;
    } catch (thrown) {
      held.release();
      throw thrown;
    }
  }

  /** Has a server running that nobody holds yet. */
  async makeReady(located: LocatedServer, signal: AbortSignal): Promise<void> {
    await this.#watch.begin();
    await this.#supply.pool(located, 'buffers').run(signal);
  }

  /**
   * The diagnostics of the workspace before any edit, measured only where no session has needed them before,
   * on the disk as it was found when `showing` was made.
   * Where `showing` has an effect (files put back to what a session read), the answer is nobody else's and
   * is not kept.
   */
  async baseline(
    showing: Showing,
    paths: readonly WorkspacePath[],
    options: BaselineOptions,
    signal: AbortSignal,
  ): Promise<readonly FileDiagnostics[]> {
    const { located, way } = showing;
    const { whileLeasing = signal } = options;
    if (showing.effect.size > 0) {
      await using lease = await this.leaseShowing(showing, whileLeasing);
      return await lease.diagnostics(paths, options, signal);
    }
    return this.#ground.baseline(located.definition, way).of(paths, options, async (use) => {
      const disk = { located, effect: noEffect, way };
      await using lease = await this.#lend(disk, this.#ground.measured, whileLeasing);
      await use((asked, wanted) => lease.diagnostics(asked, wanted, signal), this.disk.epoch);
    });
  }

  /** Whether it is not known what the disk holds: nobody has looked, or looking failed. */
  get isBlind(): boolean {
    return this.#watch.isBlind;
  }

  /** Takes in everything that happened on disk before the call. */
  look(signal: AbortSignal): Promise<void> {
    return this.#watch.look(signal);
  }

  /** What the sources of the workspace import and declare. */
  get sources(): WorkspaceReach {
    return this.#reach;
  }

  /** Every file whose diagnostics the overlay may change, on the disk as it was found when `showing` was made. */
  async reach(overlay: Overlay, { located }: Located, signal: AbortSignal): Promise<Reach> {
    return this.#reach.of(located.definition, await changesOf(overlay), signal);
  }

  /** Every file that imports one that the overlay changes, directly or through others. */
  async importers(overlay: Overlay, { located }: Located, signal: AbortSignal): Promise<Reach> {
    return this.#reach.importers(located.definition, await changesOf(overlay), signal);
  }

  /** As `reach`, but only where it can be proved from the declarations that changed. */
  async provedReach(overlay: Overlay, { located }: Located, signal: AbortSignal): Promise<Reach | undefined> {
    return this.#reach.proved(located.definition, await changesOf(overlay), signal);
  }

  /** As `reach`, but only where the import graph is up to date already, so that it costs next to nothing. */
  async reachIfFresh(overlay: Overlay, { located }: Located): Promise<Reach | undefined> {
    return this.#reach.ifFresh(located.definition, await changesOf(overlay));
  }

  /** Starts the server of a language, or takes the one that listens at `connect`. */
  async start(
    language: LanguageId,
    options: {
      readonly connect?: TcpTransport;
      readonly readyTimeoutMs?: number;
      /** The places it is to load at first, in place of what is worked on. */
      readonly scope?: readonly WorkspacePath[];
    },
    signal: AbortSignal,
  ): Promise<LocatedServer> {
    if (!options.connect) return this.#start(language, options, signal);
    const { readyTimeoutMs: answerMs } = options;
    await this.#connect(language, { ...options.connect, ...(answerMs && { answerMs }) });
    try {
      return await this.#start(language, options, signal);
    } catch (thrown) {
      // Later calls must not wait for an endpoint that does not answer.
      await this.#disconnect(language);
      throw thrown;
    }
  }

  async #start(
    language: LanguageId,
    options: { readonly readyTimeoutMs?: number; readonly scope?: readonly WorkspacePath[] },
    signal: AbortSignal,
  ): Promise<LocatedServer> {
    const located = await this.serverFor(language, signal);
    const { name } = located.definition;
    if (options.scope && this.#ground.setScope(name, options.scope) === 'changed') await this.restart(name);
    await using lease = await this.leaseShowing({ located, effect: noEffect, way: 'buffers' }, signal);
    if (options.readyTimeoutMs) await lease.server.progress.isIdleWithin(options.readyTimeoutMs, signal);
    return located;
  }

  /** Ends the servers of a language, or all; the next lease starts them afresh. */
  async restart(name: string | undefined): Promise<void> {
    await this.#supply.restart(name);
    this.#ground.baselines.clear();
  }

  /** The servers running now, for status and for waiting on what they are busy with. */
  get pools(): readonly ServerPool[] {
    return [...this.#pools.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ground.life.abort(new Error('the workspace was closed'));
    await Promise.all([...this.#pools.values()].map((pool) => pool[Symbol.asyncDispose]()));
    await Promise.all(this.#ground.endings);
    await Promise.all([
      this.#watch[Symbol.asyncDispose](),
      this.folders[Symbol.asyncDispose](),
      this.known[Symbol.asyncDispose](),
    ]);
  }

  /** A server that runs elsewhere takes the place of the one we would start. */
  async #connect(language: LanguageId, transport: TcpTransport): Promise<void> {
    const definition = await this.#disconnect(language);
    this.#connections.set(definition.name, { transport, located: { definition, command: [] } });
  }

  async #disconnect(language: LanguageId): Promise<ServerDefinition> {
    const definition = this.#options.register.definitionFor(language);
    this.#connections.delete(definition.name);
    const key = `${definition.name}/buffers`;
    await this.#pools.get(key)?.[Symbol.asyncDispose]();
    this.#pools.delete(key);
    return definition;
  }
}
