/**
 * Where the servers of one workspace come from: the pools, and servers started for one holder alone.
 *
 * Invariant: what changes on disk reaches every server, or the server is replaced.
 */
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { OverlayEffect } from '../servers/overlay-effect.ts';
import { type ReplicaRequest, startReplica } from '../servers/pool/replica-start.ts';
import type { IdleLimits } from '../servers/pool/retirement.ts';
import { defaultPoolSize, type HeldReplica, ServerPool } from '../servers/pool/server-pool.ts';
import { hasOldTerms, heldOnce } from '../servers/pool/starting-terms.ts';
import { renewBrokered, startWarmReplica, type WarmServers } from '../servers/pool/warm-servers.ts';
import { inheritedBy } from '../servers/server-environment.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import type { Way } from '../servers/way.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import { leastTrust, noTrust, type Trust, type TrustSource } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ExecutorGround, PoolStart } from './executor-ground.ts';

export interface SupplyOptions {
  readonly workspace: Workspace;
  /** How many replicas of one server may run at once; absent: what the cores can keep busy. */
  readonly poolSize?: number;
  /** How long a replica may go unused before it is ended. */
  readonly idleLimits?: IdleLimits;
  readonly readyTimeoutMs?: number;
  /** Servers kept running for several processes; absent: every server is our own. */
  readonly warm?: WarmServers;
  /** Which workspaces may run their own programs; absent: none. */
  readonly trust?: TrustSource;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class ServerSupply {
  readonly #options: SupplyOptions;
  readonly #ground: ExecutorGround;
  readonly #log: Log;

  constructor(options: SupplyOptions, ground: ExecutorGround, log: Log) {
    this.#options = options;
    this.#ground = ground;
    this.#log = log;
  }

  /** Whether programs that the workspace or a folder added to it supplies may run, as of now. */
  get trust(): Trust {
    const { workspace, trust = noTrust } = this.#options;
    const roots = [workspace.root, ...this.#ground.folders.added.map(({ root }) => root)];
    return leastTrust(roots.map((root) => trust.trustOf(root)));
  }

  /** The pool of a server shown overlays in one way, made when it is first asked for. */
  pool(located: LocatedServer, way: Way): ServerPool {
    const { name } = located.definition;
    const { pools, connections, governor, serverEvents, started, locations } = this.#ground;
    const key = `${name}/${way}`;
    const known = pools.get(key);
    const before = locations.get(key);
    const current = { located, trust: this.trust, folders: this.#ground.folders.wireAdded };
    locations.set(key, current);
    if (known) {
      if (before && this.#startsDifferently(before, current)) this.#renew(known);
      return known;
    }
    const { poolSize = defaultPoolSize(way), idleLimits, warm } = this.#options;
    const transport = connections.get(name)?.transport ?? { kind: 'stdio' };
    const pool = new ServerPool({
      name,
      way,
      size: transport.kind === 'tcp' ? 1 : poolSize,
      governor,
      idleLimits,
      log: this.#log,
      events: serverEvents,
      start: async (signal) => {
        const request = this.#request(locations.get(key)?.located ?? located);
        const replica = await startWarmReplica(warm, { ...request, transport }, way, signal);
        started.emit(replica);
        return replica;
      },
    });
    pools.set(key, pool);
    return pool;
  }

  /** Whether a server would be another one now: the workspace was trusted, or no longer is, or a folder was added. */
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
    const { workspace, env } = this.#options;
    const [then, current] = [before, now].map(({ trust, folders }) =>
      inheritedBy({ workspace, env, trust, folders }),
    );
    return !isDeepStrictEqual(then, current);
  }

  /** A server for one holder, started on terms that no other shows. */
  async holdApart(located: LocatedServer, terms: OverlayEffect, signal: AbortSignal): Promise<HeldReplica> {
    const replica = await startReplica({ ...this.#request(located), terms }, 'mounted', signal);
    const { endings } = this.#ground;
    return heldOnce(replica, (end) => {
      const ending = end
        .catch((thrown: unknown) => this.#warn('server.clean-up-failed', thrown))
        .finally(() => endings.delete(ending));
      endings.add(ending);
    });
  }

  /**
   * Passes on what changed on disk. Servers that cannot be told, because changes were missed or because they take
   * such a change in their own time, are replaced by ones that read the disk anew.
   */
  hear(events: readonly FileEvent[]): void {
    for (const pool of this.#ground.pools.values()) {
      if (events.length > 0) pool.hear(events);
      if (events.length === 0 || hasOldTerms(pool, events)) this.#renew(pool);
    }
  }

  /** Ends the servers of a name, or all; the next holder gets a new one. */
  async restart(name: string | undefined): Promise<void> {
    const pools = [...this.#ground.pools].filter(([key]) => name === undefined || key.startsWith(`${name}/`));
    await Promise.all(
      pools.map(async ([, pool]) => {
        await renewBrokered(pool.replicas, this.#log);
        await pool.restart();
      }),
    );
  }

  #renew(pool: ServerPool): void {
    const isLent = pool.replicas.some(({ isBrokered }) => isBrokered);
    const renewal = isLent ? renewBrokered(pool.replicas, this.#log).then(() => pool.renew()) : pool.renew();
    renewal.catch((thrown: unknown) => this.#warn('server.renewal-failed', thrown));
  }

  #request({ definition, command }: LocatedServer): ReplicaRequest {
    const { workspace, env, readyTimeoutMs } = this.#options;
    const { folders, disk } = this.#ground;
    return {
      definition,
      command,
      transport: { kind: 'stdio' },
      workspace,
      folders: folders.wireAdded,
      disk,
      trust: this.trust,
      env,
      readyTimeoutMs,
      scope: this.#ground.scopeOf(definition),
      configs: this.#ground.configs,
      log: this.#log,
    };
  }

  #warn(event: string, thrown: unknown): void {
    this.#log.warning(event, { code: `servers/${event.slice('server.'.length)}`, error: messageOf(thrown) });
  }
}
