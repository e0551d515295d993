/**
 * Keeps the servers of one kind warm for one workspace and lends them to the processes that connect.
 *
 * To each of its clients it acts as a language server; its servers belong to a LiveWorkspace.
 *
 * Invariants: one client's documents are never visible to another; a server's message about one client's documents
 * never reaches another as if it were about theirs.
 */

import type { Duplex } from 'node:stream';
import { Channel } from '../base/channel.ts';
import { abortable, Deadline } from '../base/deadline.ts';
import { messageOf } from '../base/failure.ts';
import { failureLogger, type Log } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import { clientMessages, type ProtocolMessage, serverMessages } from '../lsp/brokered-message.ts';
import { type ProgressToken, progressOf } from '../lsp/progress-token.ts';
import type { Replica } from '../servers/pool/replica.ts';
import type { AcquiredReplica } from '../servers/pool/server-pool.ts';
import { renewAtBroker } from '../servers/pool/warm-servers.ts';
import type { LocatedServer } from '../servers/server-register.ts';
import { BrokerBroadcast } from './broker-broadcast.ts';
import { BrokerConnection, type BrokerHost } from './broker-connection.ts';
import { type BrokerState, brokerRequests } from './broker-state.ts';
import { DiskAnswers } from './disk-answers.ts';
import { OpenQuestions } from './open-questions.ts';

export interface BrokerOptions {
  readonly live: LiveWorkspace;
  readonly located: LocatedServer;
  /** The version of the program, and the hash of everything its server is started with. */
  readonly version: string;
  readonly identity: string;
  readonly log: Log;
}

/** After this many failed starts in a row the broker stops. */
const tolerableFailures = 3;

export class Broker implements Disposable {
  /** Emits the number of clients when one connects or disconnects. */
  readonly clientsChanged = new Channel<number>();
  /** Emits why the broker should stop: it was asked to, or it cannot continue. */
  readonly ending = new Channel<string>();
  readonly #options: BrokerOptions;
  readonly #host: BrokerHost;
  readonly #connections = new Set<BrokerConnection>();
  /** Connections that have completed the handshake; the others only query the state. */
  readonly #clients = new Set<BrokerConnection>();
  readonly #shownBy = new WeakMap<Replica, BrokerConnection>();
  readonly #tokens = new Map<ProgressToken, LentToken>();
  readonly #questions = new OpenQuestions();
  readonly #events: BrokerBroadcast;
  readonly #started: Disposable;
  readonly #life = new AbortController();
  #warming: Promise<void> | undefined;
  #tokenCount = 0;
  #failures = 0;
  #lastActivity = new Date();

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#events = new BrokerBroadcast({
      everybody: () => this.#clients,
      isAskedFor: (token) => this.#tokens.has(token),
    });
    this.#started = options.live.servers.channels.started.subscribe((replica) => this.#follow(replica));
    this.#host = {
      live: options.live,
      log: options.log,
      encoding: () => this.#running[0]?.server.documents.encoding ?? 'utf-16',
      question: () => this.#questions.open(),
      diskAnswers: new DiskAnswers(options.live),
      acquire: (signal) => this.#acquire(signal),
      answer: (from, method, signal) => this.#answer(from, method, signal),
      shown: (on, by) => void this.#shownBy.set(on, by),
      lendToken: (client, token) => this.#lendToken(client, token),
      returnToken: (lent) => void this.#tokens.delete(lent),
    };
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Serves the client at the other end of the stream until it disconnects. */
  accept(stream: Duplex): void {
    const connection = new BrokerConnection(stream, this.#host);
    this.#connections.add(connection);
    connection.ended
      .then(() => {
        this.#connections.delete(connection);
        if (this.#clients.delete(connection)) this.#clientsChanged();
      })
      .catch(failureLogger(this.#options.log, 'broker.client-not-removed'));
  }

  /** Starts a server before the first request; requests wait for the same start. */
  warmUp(signal: AbortSignal): Promise<void> {
    this.#warming ??= this.#acquire(this.#life.signal)
      .then((held) => held.release())
      .finally(() => {
        this.#warming = undefined;
      });
    return abortable(this.#warming, signal);
  }

  state(): BrokerState {
    const { live, located, version, identity } = this.#options;
    const { name, languages } = located.definition;
    const running = this.#running;
    return {
      version,
      identity,
      pid: process.pid,
      root: live.workspace.root,
      server: name,
      languages,
      clients: this.clients,
      servers: running.flatMap(({ server }) => server.pid ?? []),
      ready: running.length > 0 && running.every(({ server }) => !server.progress.isBusy),
      busyWith: running.flatMap(({ server }) => server.progress.active.map(({ title }) => title)),
      lastActivity: this.#lastActivity.toISOString(),
    };
  }

  /** Waits until every open request is answered, up to a limit. */
  async settled(withinMs: number): Promise<void> {
    using deadline = new Deadline(withinMs, neverAborts());
    await this.#questions.whenNone(deadline.signal).catch((thrown: unknown) => {
      const { log } = this.#options;
      log.warning('broker.questions-cut-short', {
        code: 'broker/questions-cut-short',
        error: messageOf(thrown),
      });
    });
  }

  /** Disconnects all clients; the live workspace ends the servers. */
  [Symbol.dispose](): void {
    this.#started[Symbol.dispose]();
    this.#life.abort(new Error('the broker is ending'));
    for (const connection of this.#connections) connection.hangUp();
  }

  get #running(): readonly Replica[] {
    const replicas = this.#options.live.servers.pools.flatMap((pool) => pool.replicas);
    return replicas.filter(({ server }) => server.isRunning);
  }

  #answer(from: BrokerConnection, method: string, signal: AbortSignal): Promise<unknown> | undefined {
    switch (method) {
      case brokerRequests.state:
        return Promise.resolve(this.state());
      case brokerRequests.stop:
        // Emitted before the response is written, so the client waits until the connection is closed.
        this.ending.emit('it was asked to');
        return Promise.resolve(null);
      case clientMessages.initialize:
        return this.#welcome(from, signal);
      case clientMessages.shutdown:
        return Promise.resolve(null);
      case renewAtBroker:
        // It is unknown which changes were missed, so the servers are replaced.
        this.#options.live.disk.report([]);
        return Promise.resolve(null);
      default:
        return undefined;
    }
  }

  /**
   * The client continues as soon as it has the response, so what it needs to judge the first answer is sent before:
   * the capabilities registered since, and the progress of loading.
   */
  async #welcome(client: BrokerConnection, signal: AbortSignal): Promise<unknown> {
    const [running] = this.#running;
    if (!running) await this.warmUp(signal);
    const server = (running ?? this.#running[0])?.server;
    if (!server) throw new Error('the server ended as soon as it had started');
    signal.throwIfAborted();
    this.#clients.add(client);
    this.#clientsChanged();
    this.#events.catchUp(client);
    return { capabilities: server.capabilities.raw, serverInfo: server.capabilities.info };
  }

  async #acquire(signal: AbortSignal): Promise<AcquiredReplica> {
    const { live, located, log } = this.#options;
    this.#lastActivity = new Date();
    try {
      const held = await live.servers.acquire(located, 'buffers', signal);
      this.#failures = 0;
      return held;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      this.#failures += 1;
      log.error('broker.server-not-started', { failures: this.#failures, error: messageOf(thrown) });
      if (this.#failures >= tolerableFailures)
        this.ending.emit(`no server would start: ${messageOf(thrown)}`);
      throw thrown;
    }
  }

  /** Forwards the messages of a server from its start to its end. */
  #follow(replica: Replica): void {
    const { server } = replica;
    server.noticed.subscribe((notice) => this.#passOn(replica, notice));
    server.capabilities.changed.subscribe(() => this.#events.register());
    this.#events.add(replica);
    server.exited
      .then(() => this.#events.remove(replica))
      .catch(failureLogger(this.#options.log, 'broker.server-not-removed'));
  }

  #passOn(replica: Replica, message: ProtocolMessage): void {
    const { method, params } = message;
    switch (method) {
      case serverMessages.publishDiagnostics:
        this.#shownBy.get(replica)?.publish(replica, params);
        break;
      case serverMessages.progress:
        this.#passProgressOn(replica, params);
        break;
      case serverMessages.serverStatus:
        this.#events.tellStatus();
        break;
      default:
        for (const client of this.#clients) client.notify(message);
    }
  }

  #passProgressOn(replica: Replica, params: unknown): void {
    const progress = progressOf(params);
    if (!progress) return;
    const lent = this.#tokens.get(progress.token);
    if (lent) lent.client.report(replica, lent.token, progress.value);
    else this.#events.report(replica, progress.token, progress.value);
  }

  #lendToken(client: BrokerConnection, token: ProgressToken): ProgressToken {
    this.#tokenCount += 1;
    const lent = `client-${this.#tokenCount}`;
    this.#tokens.set(lent, { client, token });
    return lent;
  }

  #clientsChanged(): void {
    this.#lastActivity = new Date();
    this.clientsChanged.emit(this.clients);
  }
}

interface LentToken {
  readonly client: BrokerConnection;
  /** The token that the client chose. */
  readonly token: ProgressToken;
}
