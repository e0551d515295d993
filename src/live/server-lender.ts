/**
 * Lends the servers of one workspace. Each lease shows exactly one overlay.
 *
 * Invariants: callers reach a server only through a lease (a broker: through `acquire`). Locks are per server, never
 * per session. Diagnostics measured under one overlay are never attributed to another.
 */
import type { Channel } from '../base/channel.ts';
import { abortable, Deadline } from '../base/deadline.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { isShownTo } from '../servers/file-relevance.ts';
import type { LanguageId } from '../servers/language.ts';
import { Lease } from '../servers/lease.ts';
import type { PoolMember } from '../servers/pool/replica.ts';
import { defaultReadyTimeoutMs } from '../servers/pool/replica-start.ts';
import type { AcquiredReplica, ServerPool } from '../servers/pool/server-pool.ts';
import {
  effectOf,
  exactProjectionMode,
  noEffect,
  type ProjectionMode,
  type Scope,
  startupConfigIn,
} from '../servers/projection.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { Withheld } from '../servers/server-location.ts';
import type { LocatedServer, ServerRegister } from '../servers/server-register.ts';
import { isDirectoryAt } from '../workspace/link-names.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { DiskWatch } from './disk-watch.ts';
import type { ProjectionPlan } from './projection-plan.ts';
import type { ServerChannels } from './server-channels.ts';
import {
  ServerPools,
  type ServerPoolsOptions,
  type StartConditions,
  type TcpTransport,
} from './server-pools.ts';

export interface ServerLenderOptions extends ServerPoolsOptions {
  readonly register: ServerRegister;
}

export interface LendingConditions extends StartConditions {
  readonly watch: DiskWatch;
}

/** How `start` finds or loads a server. */
export interface StartOptions {
  /** The socket of a server that another program started. */
  readonly connect?: TcpTransport;
  readonly readyTimeoutMs?: number;
  /** The directories it loads at first; absent: those of the files in use. */
  readonly scope?: readonly WorkspacePath[];
}

export class ServerLender implements AsyncDisposable {
  /** Every known server, installed or not. */
  readonly register: ServerRegister;
  readonly channels: ServerChannels;
  readonly #options: ServerLenderOptions;
  readonly #conditions: LendingConditions;
  readonly #pools: ServerPools;

  constructor(options: ServerLenderOptions, conditions: LendingConditions) {
    this.#options = options;
    this.#conditions = conditions;
    this.register = options.register;
    this.#pools = new ServerPools(options, conditions);
    this.channels = this.#pools.channels;
  }

  /** The pools of the running servers. */
  get pools(): readonly ServerPool[] {
    return this.#pools.all;
  }

  /** Programs that the workspace offers as servers and that are not run because it is not trusted. */
  get withheld(): readonly Withheld[] {
    return this.#conditions.trust() === 'trusted' ? [] : this.#pools.withheld;
  }

  /** How long an answer waits for a server that is still loading; after that it is given and says so. */
  get readyTimeoutMs(): number {
    return this.#options.readyTimeoutMs ?? defaultReadyTimeoutMs;
  }

  /** The server of a language, connected or installed; fails with the command that installs it. */
  async locate(language: LanguageId, signal: AbortSignal): Promise<LocatedServer> {
    const connected = this.#pools.connected(language);
    if (connected) return connected;
    const { disk, trust, folders } = this.#conditions;
    const place = {
      workspace: disk.workspace,
      trust: trust(),
      folders: folders.added.map(({ root }) => root),
    };
    return this.register.locate(language, place, signal);
  }

  /** Decides which server judges an overlay and how it is shown there, on the current disk. */
  async planProjection(
    overlay: Overlay,
    { language, scope = 'file' }: { readonly language: LanguageId; readonly scope?: Scope },
    signal: AbortSignal,
  ): Promise<ProjectionPlan> {
    const { watch, disk } = this.#conditions;
    const [located] = await Promise.all([this.locate(language, signal), watch.syncWithDisk(signal)]);
    const whole = await effectOf(overlay);
    // Skip files this server does not handle; some crash on documents in another language.
    const effect = new Map([...whole].filter(([path]) => isShownTo(located.definition, path)));
    const mode = await exactProjectionMode(located.definition, effect, { scope, disk });
    return { located, effect, mode };
  }

  /** A server that shows the overlay of the plan. Its diagnostics are speculative and published to no connection. */
  lease(plan: ProjectionPlan, signal: AbortSignal): Promise<Lease> {
    return this.#lease(plan, undefined, signal);
  }

  /** As `lease`; the diagnostics measured under the lease are published on `channel`. */
  leasePublished(
    plan: ProjectionPlan,
    channel: Channel<readonly FileDiagnostics[]>,
    signal: AbortSignal,
  ): Promise<Lease> {
    return this.#lease(plan, channel, signal);
  }

  /** Acquires a server without showing an overlay: for a broker, whose clients each bring their own documents. */
  async acquire(located: LocatedServer, mode: ProjectionMode, signal: AbortSignal): Promise<AcquiredReplica> {
    const { watch } = this.#conditions;
    await watch.begin();
    const held = await this.#pools.of(located, mode).acquire(signal);
    try {
      await watch.syncWithDisk(signal);
      return held;
    } catch (thrown) {
      held.release();
      throw thrown;
    }
  }

  /** Starts a server ahead of its first lease. */
  async makeReady(located: LocatedServer, signal: AbortSignal): Promise<void> {
    await this.#conditions.watch.begin();
    await this.#pools.of(located, 'buffers').run(signal);
  }

  /** Starts the server of a language, or connects to the one that listens at `connect`. */
  async start(language: LanguageId, options: StartOptions, signal: AbortSignal): Promise<LocatedServer> {
    if (!options.connect) return this.#start(language, options, signal);
    const { readyTimeoutMs: answerMs } = options;
    const definition = this.register.definitionFor(language);
    await this.#pools.connect(definition, { ...options.connect, ...(answerMs && { answerMs }) });
    try {
      return await this.#start(language, options, signal);
    } catch (thrown) {
      // Later calls must not wait for an endpoint that does not answer.
      await this.#pools.disconnect(definition);
      throw thrown;
    }
  }

  /** Ends the servers of a name, or all; the next lease starts new ones. */
  restart(name: string | undefined): Promise<void> {
    return this.#pools.restart(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pools[Symbol.asyncDispose]();
  }

  async #start(language: LanguageId, options: StartOptions, signal: AbortSignal): Promise<LocatedServer> {
    const located = await this.locate(language, signal);
    const { name } = located.definition;
    const { scope, readyTimeoutMs } = options;
    if (scope && this.#pools.setScope(name, scope) === 'changed') await this.restart(name);
    await using lease = await this.lease({ located, effect: noEffect, mode: 'buffers' }, signal);
    if (readyTimeoutMs) await lease.server.progress.isIdleWithin(readyTimeoutMs, signal);
    return located;
  }

  /** The disk was synchronised when the plan was made; a dedicated server starts on that state. */
  async #lease(
    { located, effect, mode }: ProjectionPlan,
    channel: Channel<readonly FileDiagnostics[]> | undefined,
    signal: AbortSignal,
  ): Promise<Lease> {
    const { workspace } = this.#conditions.disk;
    const startupConfig = startupConfigIn(located.definition, effect, (path) =>
      isDirectoryAt(workspace.absolute(path)),
    );
    const held = await (startupConfig.size > 0
      ? this.#pools.acquireDedicated(located, startupConfig, signal)
      : this.acquire(located, mode, signal));
    try {
      await held.replica.show(effect);
      return new Lease(held, this.#options.log, channel);
    } catch (thrown) {
      held.release();
      throw thrown;
    }
  }
}

/**
 * Has an idle server of `pools` read the overlay of a plan that was made just now, while the caller computes; a later lease of
 * the same plan finds it shown, or shows it again if another caller was faster. Returns as soon as the server has begun. Does
 * nothing for servers that read what they show only when they are asked.
 */
export async function showAhead(
  pools: readonly ServerPool[],
  { located: { definition }, effect, mode }: ProjectionPlan,
  signal: AbortSignal,
): Promise<void> {
  if (mode !== 'buffers' || startupConfigIn(definition, effect, () => true).size > 0) return;
  const isReady = ({ isIdle, replica: { server, setup, projects } }: PoolMember): boolean =>
    isIdle &&
    server.isRunning &&
    setup.mode === mode &&
    setup.isShared !== true &&
    projects?.canReadAhead?.(effect) === true;
  const pool = pools.find(({ name, governed }) => name === definition.name && governed.some(isReady));
  if (pool === undefined) return;
  const { replica, release } = await pool.acquire(signal);
  try {
    await replica.show(effect);
    const begun = replica.projects?.readAhead?.(signal) ?? Promise.resolve();
    using limit = new Deadline(beginsWithinMs, signal);
    await abortable(begun, limit.signal).catch((thrown: unknown) => {
      if (!limit.expired) throw thrown;
    });
    // Messages are sent at the end of the turn, which would otherwise last until the caller has computed.
    await new Promise<void>((resolve) => process.nextTick(resolve));
  } finally {
    release();
  }
}

/** A server that has not begun to read by then is busy, and the caller can use the time. */
const beginsWithinMs = 5;
