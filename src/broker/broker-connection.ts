/**
 * One client of the broker, for which the broker acts as a language server.
 *
 * Invariants: this client's documents are visible to its own requests only; requests and notifications take effect in
 * order; when the client disconnects, its requests are cancelled and none of its documents stays on a server.
 */
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import {
  clientMessages,
  type ProtocolMessage,
  progressReport,
  publication,
  registration,
  unregistration,
} from '../lsp/brokered-message.ts';
import type { Registration } from '../lsp/capabilities.ts';
import { ClientConnection } from '../lsp/client-connection.ts';
import { documentOf } from '../lsp/document.ts';
import { translatePublication, translateVersions } from '../lsp/document-version.ts';
import { type WatchedFileEvent, watchedFileEvents } from '../lsp/feature/watched-file.ts';
import { type ProgressToken, renameTokens } from '../lsp/progress-token.ts';
import type { Replica } from '../servers/pool/replica.ts';
import type { AcquiredReplica } from '../servers/pool/server-pool.ts';
import { answerAboutProjects } from '../servers/typescript/brokered-projects.ts';
import type { PositionEncoding } from '../text/position.ts';
import type { FileEvent } from '../workspace/file-event.ts';
import { ClientView, type View } from './client-view.ts';
import type { DiskAnswers } from './disk-answers.ts';
import { ServerTurn } from './server-turn.ts';
import { VersionMap } from './version-map.ts';

/** What a connection needs of its broker. */
export interface BrokerHost {
  readonly live: LiveWorkspace;
  readonly log: Log;
  /** How the servers count columns. */
  encoding(): PositionEncoding;
  /** A request is in progress until the result is disposed. */
  question(): Disposable;
  /** Cached answers about the files on disk. */
  readonly diskAnswers: DiskAnswers;
  /** Acquires a server for one turn. */
  acquire(signal: AbortSignal): Promise<AcquiredReplica>;
  /** Handles a request that the broker answers itself; undefined for other requests. */
  answer(from: BrokerConnection, method: string, signal: AbortSignal): Promise<unknown> | undefined;
  /** Called when a replica shows the documents of a connection. */
  shown(on: Replica, by: BrokerConnection): void;
  /** A token that is unique among all clients. */
  lendToken(to: BrokerConnection, token: ProgressToken): ProgressToken;
  returnToken(token: ProgressToken): void;
}

export class BrokerConnection {
  /** Resolves, never rejects, when the client has disconnected. */
  readonly ended: Promise<void>;
  readonly #host: BrokerHost;
  readonly #client: ClientConnection;
  readonly #view: ClientView;
  readonly #turn: ServerTurn;
  readonly #versions = new WeakMap<Replica, VersionMap>();
  readonly #life = new AbortController();
  /** The registrations sent to the client. */
  #registered: ReadonlyMap<string, Registration> = new Map();

  constructor(stream: Duplex, host: BrokerHost) {
    this.#host = host;
    const { live } = host;
    this.#view = new ClientView(live.workspace, () => host.encoding());
    this.#turn = new ServerTurn({
      live,
      acquire: (signal) => host.acquire(signal),
      onShown: (replica, view) => this.#shown(replica, view),
    });
    this.#client = new ClientConnection(
      stream,
      {
        request: (method, params, signal) => this.#answer(method, params, signal),
        notification: (method, params) => this.#receive(method, params),
      },
      host.log,
    );
    this.ended = this.#client.ended.then(() => this.#life.abort(new Error('the client has hung up')));
  }

  notify({ method, params }: ProtocolMessage): void {
    this.#client.notify(method, params);
  }

  /** Sends the client a message whose response does not matter. */
  tell({ method, params }: ProtocolMessage): void {
    this.#client.request(method, params, this.#life.signal).catch((thrown: unknown) => {
      this.#host.log.debug('broker.client-refused', { method, error: messageOf(thrown) });
    });
  }

  /** Forwards a publication if it is about a text of this client. */
  publish(from: Replica, params: unknown): void {
    const translated = translatePublication(params, (uri, version) => this.#versionOn(from, uri, version));
    if (translated !== undefined) this.notify(publication(translated));
  }

  /** Reports progress under the token this client chose. */
  report(from: Replica, token: ProgressToken, value: unknown): void {
    this.notify(progressReport(token, this.#translated(from, value)));
  }

  /** Sends the client the difference to the current registrations. */
  setRegistrations(registrations: ReadonlyMap<string, Registration>): void {
    const before = this.#registered;
    this.#registered = registrations;
    const come = [...registrations.values()].filter(({ id }) => !before.has(id));
    const gone = [...before.values()].filter(({ id }) => !registrations.has(id));
    if (come.length > 0) this.tell(registration(come));
    if (gone.length > 0) this.tell(unregistration(gone));
  }

  hangUp(): void {
    this.#client[Symbol.dispose]();
  }

  #answer(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const own = this.#host.answer(this, method, signal);
    if (own) return own;
    // Captured now: later notifications of the client are not part of this request.
    const view = this.#view.current;
    const ask = () => this.#forward(method, params, view, signal);
    return method === clientMessages.pullDiagnostics
      ? this.#host.diskAnswers.answer({ params, view }, ask, signal)
      : ask();
  }

  async #forward(method: string, params: unknown, view: View, signal: AbortSignal): Promise<unknown> {
    using _open = this.#host.question();
    const lent: ProgressToken[] = [];
    const sent = renameTokens(params, (token) => {
      const unique = this.#host.lendToken(this, token);
      lent.push(unique);
      return unique;
    });
    try {
      return await this.#turn.ask(
        view,
        async (replica) => {
          const answer = await this.#send(replica, method, sent, signal);
          return this.#translated(replica, answer);
        },
        signal,
      );
    } finally {
      for (const token of lent) this.#host.returnToken(token);
    }
  }

  #send(replica: Replica, method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const { server, edits } = replica;
    const forward = (): Promise<unknown> => server.request(method, params, forwarded, signal);
    if (method === clientMessages.pullDiagnostics) this.#noteAsked(replica, params);
    const ofProjects = answerAboutProjects(replica, { method, params }, signal);
    if (ofProjects) return ofProjects;
    if (method !== clientMessages.executeCommand) return forward();
    return edits.during((edit) => this.#applyEdit(replica, edit, signal), forward);
  }

  /** A server that is started later is warmed up with the file of the last request. */
  #noteAsked(replica: Replica, params: unknown): void {
    const uri = documentOf(params);
    const path = uri === undefined ? undefined : this.#host.live.workspace.fromUri(uri);
    if (path !== undefined) replica.lastAsked = path;
  }

  /**
   * Asks the client to apply an edit that its own command requested, and shows the server the client's new documents.
   */
  async #applyEdit(replica: Replica, edit: unknown, signal: AbortSignal): Promise<void> {
    const { applied, failureReason } = await this.#client.applyEdit(this.#translated(replica, edit), signal);
    if (!applied) throw new Error(failureReason ?? 'the client did not apply the edit');
    await this.#turn.show(this.#view.current, signal);
  }

  #receive(method: string, params: unknown): void {
    try {
      if (method === clientMessages.exit) this.hangUp();
      else if (method === clientMessages.watchedFiles) this.#receiveFiles(params);
      else if (!this.#view.receive(method, params))
        this.#host.log.debug('broker.notification-ignored', { method });
    } catch (thrown) {
      // From here on the client's documents may differ from ours.
      this.#host.log.warning('broker.client-out-of-step', {
        code: 'broker/client-out-of-step',
        error: messageOf(thrown),
      });
      this.hangUp();
    }
  }

  /** File events of the client reach every server before its next request. */
  #receiveFiles(params: unknown): void {
    const { live } = this.#host;
    const events = new Map<string, FileEvent>();
    const outside: WatchedFileEvent[] = [];
    for (const event of watchedFileEvents(params)) {
      const path = live.workspace.fromUri(event.uri);
      if (path === undefined) outside.push(event);
      else events.set(path, { path, kind: event.kind });
    }
    if (outside.length > 0) for (const pool of live.servers.pools) pool.queueOutsideEvents(outside);
    if (events.size === 0) return;
    const inside = [...events.values()];
    live.disk.report(inside);
    this.#view.receiveFiles(inside, (path) => existsSync(live.workspace.absolute(path)));
  }

  #shown(replica: Replica, { documents }: View): void {
    const versions = this.#versions.get(replica) ?? new VersionMap();
    this.#versions.set(replica, versions);
    for (const { uri, version: client } of documents) {
      const server = replica.server.documents.get(uri)?.version;
      if (server !== undefined) versions.set(uri, { server, client });
    }
    this.#host.shown(replica, this);
  }

  #translated(replica: Replica, value: unknown): unknown {
    return translateVersions(value, (uri, version) => this.#versionOn(replica, uri, version));
  }

  #versionOn(replica: Replica, uri: string, version: number): number | undefined {
    return this.#versions.get(replica)?.get(uri, version);
  }
}

/** Its client has a deadline and retries of its own: the server may take as long as it wants. */
const forwarded = { timeoutMs: Number.POSITIVE_INFINITY, forClient: true } as const;
