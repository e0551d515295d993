/**
 * The running servers of one workspace: a pool for each server and projection mode, and dedicated servers that were
 * started for one caller.
 *
 * Invariants: a change on disk is reported to every server, or the server is replaced. Disposal waits for every server
 * to end, dedicated ones included.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '../base/environment.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { Survey } from '../graph/reach/reach-graph.ts';
import type { ServerTransport, WorkspaceFolder } from '../lsp/server-options.ts';
import type { LanguageId } from '../servers/language.ts';
import type { Governor } from '../servers/pool/governor.ts';
import type { IdleLimits } from '../servers/pool/replica.ts';
import { type ReplicaRequest, startReplica } from '../servers/pool/replica-start.ts';
import { type AcquiredReplica, defaultPoolSize, ServerPool } from '../servers/pool/server-pool.ts';
import { disposeOnRelease, hasOutdatedConfig } from '../servers/pool/startup-config.ts';
import { renewBrokered, startWarmReplica, type WarmServers } from '../servers/pool/warm-servers.ts';
import type { OverlayEffect, ProjectionMode } from '../servers/projection.ts';
import type { ScopeRequest } from '../servers/scope/scope-request.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { inheritedBy } from '../servers/server-environment.ts';
import type { Withheld } from '../servers/server-location.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import type { SandboxTiers } from '../servers/server-site.ts';
import { ProjectConfigs } from '../servers/typescript/project-configs.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import type { Trust } from '../workspace/trust.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { WorkspaceFolders } from './disk-watch.ts';
import { ServerChannels } from './server-channels.ts';

export type TcpTransport = ServerTransport & { readonly kind: 'tcp' };

export interface ServerPoolsOptions {
  /** How many replicas of one server may run at once; absent: depends on the number of cores. */
  readonly poolSize?: number;
  /** How long a replica may be idle before it is ended. */
  readonly idleLimits?: IdleLimits | undefined;
  readonly readyTimeoutMs?: number | undefined;
  /** Servers that a broker keeps running for several processes; absent: every server is our own. */
  readonly warm?: WarmServers | undefined;
  /** Shared with the other workspaces of this process. */
  readonly governor: Governor;
  readonly env: Environment;
  /** How much of a large workspace a server loads at first; absent: parts. */
  readonly load?: ScopeRequest['load'];
  /** The sandbox tiers that the user allows; absent: the default ones. */
  readonly tiers?: SandboxTiers | undefined;
  readonly log: Log;
}

/** The state of the live workspace that servers are started with. */
export interface StartConditions {
  readonly disk: DiskState;
  readonly folders: WorkspaceFolders;
  /** Whether programs that the workspace supplies may run, asked again before every start. */
  readonly trust: () => Trust;
  /** The files that a server loads. */
  readonly survey: (definition: ServerDefinition) => Promise<Survey>;
}

/** What a pool starts its servers from. */
interface PoolStart {
  readonly located: LocatedServer;
  readonly trust: Trust;
  readonly folders: readonly WorkspaceFolder[];
}

/** A server that another program started and that listens on a socket. */
interface ConnectedServer {
  readonly transport: TcpTransport;
  readonly located: LocatedServer;
}

export class ServerPools implements AsyncDisposable {
  readonly channels = new ServerChannels();
  readonly #options: ServerPoolsOptions;
  readonly #conditions: StartConditions;
  readonly #configs: ProjectConfigs;
  readonly #pools = new Map<string, ServerPool>();
  /** By the key of the pool. */
  readonly #starts = new Map<string, PoolStart>();
  readonly #connected = new Map<string, ConnectedServer>();
  /** The directories a caller has chosen for a server to load, by its name. */
  readonly #scopes = new Map<string, readonly WorkspacePath[]>();
  /** Dedicated servers that are shutting down. */
  readonly #endings = new Set<Promise<void>>();

  constructor(options: ServerPoolsOptions, conditions: StartConditions) {
    this.#options = options;
    this.#conditions = conditions;
    const { disk } = conditions;
    this.#configs = new ProjectConfigs(disk.workspace, disk);
    disk.changes.subscribe((events) => this.#queueDiskEvents(events));
  }

  get all(): readonly ServerPool[] {
    return [...this.#pools.values()];
  }

  /** Programs that an untrusted workspace offers in place of the servers that were used here. */
  get withheld(): readonly Withheld[] {
    const offered = [...this.#starts.values()].flatMap(({ located }) => located.withheld ?? []);
    return [...new Map(offered.map((each) => [each.path, each])).values()];
  }

  /** The connected server of a language; undefined: one is started. */
  connected(language: LanguageId): LocatedServer | undefined {
    for (const { located } of this.#connected.values()) {
      if (located.definition.languages.includes(language)) return located;
    }
    return undefined;
  }

  /** The server that listens at `transport` replaces the one that would be started. */
  async connect(definition: ServerDefinition, transport: TcpTransport): Promise<void> {
    await this.disconnect(definition);
    this.#connected.set(definition.name, { transport, located: { definition, command: [] } });
  }

  async disconnect({ name }: ServerDefinition): Promise<void> {
    this.#connected.delete(name);
    const key = `${name}/buffers`;
    await this.#pools.get(key)?.[Symbol.asyncDispose]();
    this.#pools.delete(key);
  }

  /** The pool of a server in one projection mode, created on first use. */
  of(located: LocatedServer, mode: ProjectionMode): ServerPool {
    const key = `${located.definition.name}/${mode}`;
    const known = this.#pools.get(key);
    const before = this.#starts.get(key);
    const { trust, folders } = this.#conditions;
    const current = { located, trust: trust(), folders: folders.wireAdded };
    this.#starts.set(key, current);
    if (known) {
      if (before && this.#startsDifferently(before, current)) this.#renew(known);
      return known;
    }
    const pool = this.#create(key, located, mode);
    this.#pools.set(key, pool);
    return pool;
  }

  /** Starts a server for one caller, with configuration that no other server has. */
  async acquireDedicated(
    located: LocatedServer,
    startupConfig: OverlayEffect,
    signal: AbortSignal,
  ): Promise<AcquiredReplica> {
    const replica = await startReplica({ ...this.#request(located), startupConfig }, 'mounted', signal);
    return disposeOnRelease(replica, (end) => {
      const ending = end
        .catch((thrown: unknown) => this.#warn('server.clean-up-failed', thrown))
        .finally(() => this.#endings.delete(ending));
      this.#endings.add(ending);
    });
  }

  /** Chooses the directories a server loads; takes effect when it is started again. */
  setScope(server: string, places: readonly WorkspacePath[]): 'changed' | 'same' {
    const before = this.#scopes.get(server) ?? [];
    this.#scopes.set(server, places);
    return before.join('\0') === places.join('\0') ? 'same' : 'changed';
  }

  /** Ends the servers of a name, or all; the next lease starts new ones. */
  async restart(name: string | undefined): Promise<void> {
    const pools = [...this.#pools].filter(([key]) => name === undefined || key.startsWith(`${name}/`));
    await Promise.all(
      pools.map(async ([, pool]) => {
        await renewBrokered(pool.replicas, this.#options.log);
        await pool.restart();
      }),
    );
    this.channels.restarted.emit(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((pool) => pool[Symbol.asyncDispose]()));
    await Promise.all(this.#endings);
  }

  #create(key: string, located: LocatedServer, mode: ProjectionMode): ServerPool {
    const { poolSize = defaultPoolSize(mode), idleLimits, warm, governor, log } = this.#options;
    const { name } = located.definition;
    const transport = this.#connected.get(name)?.transport ?? { kind: 'stdio' };
    return new ServerPool({
      name,
      mode,
      size: transport.kind === 'tcp' ? 1 : poolSize,
      governor,
      idleLimits,
      log,
      events: this.channels.events,
      start: async (signal) => {
        const request = this.#request(this.#starts.get(key)?.located ?? located);
        const replica = await startWarmReplica(warm, { ...request, transport }, mode, signal);
        this.channels.started.emit(replica);
        return replica;
      },
    });
  }

  /** Whether a server started now would differ: another trust, command or definition, or an added folder. */
  #startsDifferently(before: PoolStart, now: PoolStart): boolean {
    if (before.trust !== now.trust) return true;
    if (before.located !== now.located) {
      const [then, current] = [before.located, now.located].map(({ definition, command }) => [
        definition,
        command,
      ]);
      if (!isDeepStrictEqual(then, current)) return true;
    }
    if (isDeepStrictEqual(before.folders, now.folders)) return false;
    const { workspace } = this.#conditions.disk;
    const { env } = this.#options;
    const [then, current] = [before, now].map(({ trust, folders }) =>
      inheritedBy({ workspace, env, trust, folders }),
    );
    return !isDeepStrictEqual(then, current);
  }

  /**
   * Queues changes on disk for every server. Servers are replaced if changes were missed (no events), or if they apply
   * such a change asynchronously.
   */
  #queueDiskEvents(events: readonly FileEvent[]): void {
    for (const pool of this.#pools.values()) {
      if (events.length > 0) pool.queueDiskEvents(events);
      if (events.length === 0 || hasOutdatedConfig(pool, events)) this.#renew(pool);
    }
  }

  #renew(pool: ServerPool): void {
    const isShared = pool.replicas.some(({ setup }) => setup.isBrokered);
    const { log } = this.#options;
    const renewal = isShared ? renewBrokered(pool.replicas, log).then(() => pool.renew()) : pool.renew();
    renewal.catch((thrown: unknown) => this.#warn('server.renewal-failed', thrown));
  }

  #request({ definition, command }: LocatedServer): ReplicaRequest {
    const { env, readyTimeoutMs, load, tiers, log } = this.#options;
    const { folders, disk, trust, survey } = this.#conditions;
    const places = this.#scopes.get(definition.name) ?? [];
    return {
      definition,
      command,
      transport: { kind: 'stdio' },
      workspace: disk.workspace,
      folders: folders.wireAdded,
      disk,
      trust: trust(),
      env,
      readyTimeoutMs,
      scope: { survey: () => survey(definition), places, load },
      tiers,
      configs: this.#configs,
      log,
    };
  }

  #warn(event: string, thrown: unknown): void {
    const code = `servers/${event.slice('server.'.length)}`;
    this.#options.log.warning(event, { code, error: messageOf(thrown) });
  }
}
