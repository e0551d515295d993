/**
 * The lifecycle of a broker's process: it takes its claim, listens, and exits when no client needs it any more.
 *
 * Invariants: of several processes started for one directory one listens and the others report that and exit; an
 * orderly exit leaves no files in the directory, and a language server never outlives the process.
 */

import { once } from 'node:events';
import { chmodSync, existsSync, type FSWatcher, rmSync, watch } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { onAbort } from '../base/deadline.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { WorkspaceRegistry } from '../live/workspace-registry.ts';
import type { SandboxTiers } from '../servers/server-site.ts';
import { makePrivateDirectory } from '../storage/user-directories.ts';
import { Broker } from './broker.ts';
import { BrokerClaim } from './broker-claim.ts';
import type { BrokerLaunchSpec } from './broker-launch-spec.ts';
import { type BrokerPaths, placeOf } from './broker-paths.ts';
import { writeRecord } from './broker-record.ts';
import type { BrokerAnswer } from './broker-spawn.ts';

export interface BrokerProcessOptions {
  readonly order: BrokerLaunchSpec;
  /** How long it stays without a client. */
  readonly idleMs: number;
  /** The memory budget of its servers; absent: a share of the machine's memory. */
  readonly memoryMegabytes?: number | undefined;
  /** The sandbox tiers that the user allows; absent: the default ones. */
  readonly tiers?: SandboxTiers;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Reports the result to the process that started the broker. */
  readonly tell: (answer: BrokerAnswer) => void;
  /** Publishes the servers in the user's list of processes, until the result is disposed. */
  readonly describe?: (workspaces: WorkspaceRegistry) => Promise<AsyncDisposable>;
  /** Called when only cleaning up is left to do. */
  readonly closing: () => void;
}

/** Resolves when the broker has stopped, or the signal aborts. */
export async function runBroker(options: BrokerProcessOptions, signal: AbortSignal): Promise<void> {
  const { order, env, memoryMegabytes, tiers, log, tell } = options;
  const { definition } = order.located;
  const place = placeOf(order.home, { root: order.root, server: definition.name }, env);
  using claim = BrokerClaim.take(place);
  if (!claim) {
    tell('taken');
    return;
  }
  // A process that is made to exit before it has cleaned up releases its claim all the same.
  process.once('exit', () => claim[Symbol.dispose]());
  await using workspaces = new WorkspaceRegistry({
    definitions: [definition],
    // All clients have the same trust; after a change of it they start another broker.
    trust: { trustOf: () => order.trust },
    // The broker keeps a server warm: its last replica is never ended for being idle.
    idleLimits: { spareMs, lastMs: longestMs },
    // It is unknown what clients will ask about, so a server loads the whole workspace, once for all of them.
    load: 'everything',
    memoryMegabytes,
    tiers,
    env,
    log,
  });
  await using _described = await options.describe?.(workspaces);
  const { live } = await workspaces.open(order.root, signal);
  const { located, version, identity } = order;
  using broker = new Broker({ live, located, version, identity, log });
  await using listener = await Listener.open(place, broker);
  if (!claim.isOurs) {
    tell('taken');
    return;
  }
  const about = { server: definition.name, root: order.root };
  {
    const keeper = new RecordKeeper(place, order, broker);
    using _subscription = live.servers.channels.events.subscribe(() => keeper.write());
    using _counted = broker.clientsChanged.subscribe(() => keeper.write());
    const reason = lastCall(broker, options, signal);
    keeper.write();
    log.info('broker.listening', { ...about, socket: listener.path });
    tell('listening');
    log.info('broker.ending', { ...about, reason: await reason });
  }
  options.closing();
  // From here on no new client connects; open requests are still answered.
  claim.withdraw();
  await broker.settled(drainMs);
}

const minute = 60_000;
const spareMs = 5 * minute;
/** The longest delay of a timer. */
const longestMs = 2 ** 31 - 1;

/** How long to wait for open requests when the broker stops. */
const drainMs = 2000;

/** Resolves with the reason why the broker should stop. */
function lastCall(
  broker: Broker,
  { order, idleMs, log }: BrokerProcessOptions,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve) => {
    let idle: NodeJS.Timeout | undefined;
    const wait = (clients: number): void => {
      clearTimeout(idle);
      if (clients === 0) idle = setTimeout(() => end('nobody needs it'), idleMs);
    };
    const counted = broker.clientsChanged.subscribe(wait);
    const asked = broker.ending.subscribe((reason) => end(reason));
    const root = watchRoot(order.root, () => end('its workspace is gone'), log);
    const abort = (): void => end(messageOf(signal.reason));
    let forget = (): void => {};
    const end = (reason: string): void => {
      clearTimeout(idle);
      for (const subscription of [counted, asked]) subscription[Symbol.dispose]();
      root?.close();
      forget();
      resolve(reason);
    };
    wait(broker.clients);
    if (signal.aborted) abort();
    else forget = onAbort(signal, abort);
    broker.warmUp(signal).catch((thrown: unknown) => {
      log.warning('broker.warm-up-failed', { code: 'broker/warm-up-failed', error: messageOf(thrown) });
    });
  });
}

/**
 * Watches the parent directory: the removal of a directory is not reported by a watch on itself while a process works
 * in it, and the language server does.
 */
function watchRoot(root: string, onGone: () => void, log: Log): FSWatcher | undefined {
  const look = (): void => {
    if (!existsSync(root)) onGone();
  };
  try {
    const name = basename(root);
    const watcher = watch(dirname(root), (_, changed) => {
      if (changed === null || changed === name) look();
    });
    return watcher.on('error', look);
  } catch (thrown) {
    log.warning('broker.root-unwatched', { code: 'broker/root-unwatched', error: messageOf(thrown) });
    return undefined;
  }
}

/** Accepts connections for the broker. */
class Listener implements AsyncDisposable {
  readonly path: string;
  readonly #server: Server;

  private constructor(server: Server, path: string) {
    this.#server = server;
    this.path = path;
  }

  /** The holder of the claim may remove a socket that a predecessor left. */
  static async open({ socket }: BrokerPaths, broker: Broker): Promise<Listener> {
    const isFile = process.platform !== 'win32';
    if (isFile) {
      makePrivateDirectory(dirname(socket));
      rmSync(socket, { force: true });
    }
    const server = createServer((stream) => broker.accept(stream));
    server.listen(socket);
    await once(server, 'listening');
    if (isFile) chmodSync(socket, 0o600);
    return new Listener(server, socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
  }
}

/** Keeps the broker's record up to date. */
class RecordKeeper {
  readonly #place: BrokerPaths;
  readonly #order: BrokerLaunchSpec;
  readonly #broker: Broker;
  readonly #started = new Date().toISOString();

  constructor(place: BrokerPaths, order: BrokerLaunchSpec, broker: Broker) {
    this.#place = place;
    this.#order = order;
    this.#broker = broker;
  }

  write(): void {
    const { located, root, version, identity } = this.#order;
    const { ready, lastActivity } = this.#broker.state();
    const record = {
      root_dir: root,
      language_id: located.definition.languages[0] ?? '',
      server: located.definition.name,
      command: located.command,
      socket_path: this.#place.socket,
      pid: process.pid,
      ready,
      start_time: this.#started,
      last_activity: lastActivity,
      version,
      identity,
    };
    try {
      writeRecord(this.#place.record, record);
    } catch (thrown) {
      // Clients could not find it any more.
      this.#broker.ending.emit(`its record cannot be written: ${messageOf(thrown)}`);
    }
  }
}
