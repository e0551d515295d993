/**
 * Finds the broker that keeps a server warm, or starts one.
 *
 * Invariants: a broker is used only if its server was started exactly as ours would be; whatever is wrong with a
 * broker, the caller can start a server of its own.
 */
import { Deadline } from '../base/deadline.ts';
import { errnoOf } from '../base/errno.ts';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { ServerTransport } from '../lsp/server-options.ts';
import { changeIn } from '../process/directory-change.ts';
import { type LanguageId, languageId } from '../servers/language.ts';
import type { WarmServers } from '../servers/pool/warm-servers.ts';
import type { LocatedServer, TrustedPlace } from '../servers/server-register.ts';
import { makePrivateDirectory } from '../storage/user-directories.ts';
import { ownerOf } from './broker-claim.ts';
import { BrokerClient } from './broker-client.ts';
import { type BrokerLaunchSpec, identityOf } from './broker-launch-spec.ts';
import { type BrokerPaths, logOf, placeOf } from './broker-paths.ts';
import { readRecord } from './broker-record.ts';
import { BrokerNotStarted, BrokerTooSlow, spawnBroker } from './broker-spawn.ts';
import type { BrokerState } from './broker-state.ts';
import { canBeBrokered, isWorthBrokering } from './eligibility.ts';
import { knownBrokers, sweepBrokers } from './running-brokers.ts';

export interface WarmBrokersOptions {
  /** `auto` uses a running broker, and starts one for a large workspace. */
  readonly use: 'auto' | 'on';
  /** Of this program. */
  readonly version: string;
  /** The command that starts a broker's process. */
  readonly command: readonly string[];
  /** The directory below which brokers keep their records. */
  readonly home: string;
  /** How long a broker may take to start; default 30 s. */
  readonly timeoutMs?: number;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

const defaultTimeoutMs = 30_000;

export class WarmBrokers implements WarmServers {
  readonly #options: WarmBrokersOptions;
  readonly #log: Log;
  /**
   * Directories where no broker could be started; trying again for every server would cost the time of each failure.
   */
  readonly #givenUp = new Set<string>();

  constructor(options: WarmBrokersOptions) {
    this.#options = options;
    this.#log = options.log.child('broker');
  }

  async connect(
    located: LocatedServer,
    { workspace, trust }: TrustedPlace,
    signal: AbortSignal,
  ): Promise<ServerTransport | undefined> {
    const { definition } = located;
    if (!canBeBrokered(definition)) return undefined;
    const { use, env, home, version, timeoutMs = defaultTimeoutMs } = this.#options;
    const identity = identityOf(located, trust, env);
    const order = { home, root: workspace.root, located, trust, version, identity };
    const place = placeOf(home, { root: workspace.root, server: definition.name }, env);
    if (!ownerOf(place)) {
      if (this.#givenUp.has(place.directory)) return undefined;
      if (use === 'auto' && !(await isWorthBrokering(definition, workspace, signal))) return undefined;
    }
    using deadline = new Deadline(timeoutMs, signal);
    try {
      return await this.#reach(place, order, deadline.signal);
    } catch (thrown) {
      signal.throwIfAborted();
      this.#givenUp.add(place.directory);
      throw deadline.expired ? new BrokerTooSlow(timeoutMs) : thrown;
    }
  }

  async running(
    { workspace, trust }: TrustedPlace,
    locate: (language: LanguageId) => Promise<LocatedServer>,
  ): Promise<readonly LocatedServer[]> {
    const { env, home, version } = this.#options;
    const found: LocatedServer[] = [];
    for (const { record } of knownBrokers(home, env)) {
      if (record?.root_dir !== workspace.root || record.version !== version) continue;
      const located = await locate(languageId(record.language_id));
      if (identityOf(located, trust, env) === record.identity) found.push(located);
    }
    return found;
  }

  async #reach(
    place: BrokerPaths,
    order: BrokerLaunchSpec,
    signal: AbortSignal,
  ): Promise<ServerTransport | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const found = await look(place, signal);
      const about = { server: order.located.definition.name, root: order.root };
      switch (found.kind) {
        case 'running': {
          const use = usability(found.state, order);
          if (use === 'usable') return { kind: 'socket', path: found.socket };
          if (use === 'different') {
            this.#log.info('broker.not-shared', { ...about, pid: found.state.pid });
            return undefined;
          }
          this.#log.info('broker.replaced', { ...about, version: found.state.version });
          using line = await BrokerClient.open(found.socket, signal);
          await line?.stop(signal);
          break;
        }
        case 'silent':
          this.#log.warning('broker.silent', { code: 'broker/silent', ...about, pid: found.pid });
          return undefined;
        case 'starting':
          await changeIn(place.directory, signal);
          break;
        case 'absent':
          await this.#start(place, order, signal);
      }
    }
  }

  async #start(place: BrokerPaths, order: BrokerLaunchSpec, signal: AbortSignal): Promise<void> {
    const { command, env } = this.#options;
    const key = { server: order.located.definition.name, root: order.root };
    this.#log.info('broker.starting', key);
    const log = logOf(order.home, key);
    try {
      sweepBrokers(order.home, env);
      makePrivateDirectory(place.directory);
      await spawnBroker(order, { command, env, log }, signal);
    } catch (thrown) {
      if (thrown instanceof Failure || errnoOf(thrown) === undefined) throw thrown;
      // The directory cannot be created or written.
      throw new BrokerNotStarted(messageOf(thrown), log, { cause: thrown });
    }
  }
}

type Found =
  | { readonly kind: 'absent' | 'starting' }
  /** It is alive but does not answer, so its claim cannot be taken. */
  | { readonly kind: 'silent'; readonly pid: number }
  | { readonly kind: 'running'; readonly socket: string; readonly state: BrokerState };

async function look(place: BrokerPaths, signal: AbortSignal): Promise<Found> {
  const owner = ownerOf(place);
  if (!owner) return { kind: 'absent' };
  const socket = readRecord(place.record)?.socket_path;
  if (socket === undefined) return { kind: 'starting' };
  using line = await BrokerClient.open(socket, signal);
  const state = await line?.state(signal);
  if (state) return { kind: 'running', socket, state };
  // It may have been stopping when it was asked.
  if (readRecord(place.record) === undefined || !ownerOf(place)) return { kind: 'starting' };
  return { kind: 'silent', pid: owner.pid };
}

/**
 * A newer program replaces the broker of an older one, never the reverse: two versions in use at once would otherwise
 * keep stopping each other's brokers.
 */
function usability(
  state: BrokerState,
  { version, identity }: BrokerLaunchSpec,
): 'usable' | 'different' | 'outdated' {
  if (state.version !== version) return isOlder(state.version, version) ? 'outdated' : 'different';
  return state.identity === identity ? 'usable' : 'different';
}

function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split(/[.+-]/).map(Number));
  for (const place of [0, 1, 2]) {
    const difference = (own?.[place] || 0) - (other?.[place] || 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
