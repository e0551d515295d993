/**
 * The client of one language server, from its start to its end.
 *
 * Invariant: when the server has exited, for whatever reason, every pending and every later call fails at once with
 * the same named failure; nothing waits for a response that cannot come.
 */
import { Channel } from '../base/channel.ts';
import { abortable, Deadline } from '../base/deadline.ts';
import { type Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { isRecord } from '../base/record.ts';
import type { PositionEncoding } from '../text/position.ts';
import { type ProtocolMessage, serverMessages } from './brokered-message.ts';
import { Capabilities } from './capabilities.ts';
import { Publications, parseDiagnostics } from './diagnostic.ts';
import { type DocumentWire, OpenDocuments, rangeDecoder } from './document.ts';
import { initializeParams, readInitializeResult } from './internal/handshake.ts';
import { Rpc } from './internal/rpc.ts';
import { answerServer } from './internal/server-request.ts';
import { openTransport, type Transport } from './internal/transport.ts';
import { Progress } from './progress.ts';
import {
  EndpointSilent,
  InitializeFailed,
  ProtocolGarbage,
  RequestTimeout,
  ServerCrashed,
  ServerStopped,
} from './server-failure.ts';
import type { ServerOptions, WorkspaceFolder } from './server-options.ts';

export type ServerExit =
  | { readonly kind: 'stopped' }
  /** The failure names the exit code and contains the last output. */
  | { readonly kind: 'crashed'; readonly failure: Failure };

export interface RequestOptions {
  /** Replaces the limit of the method; infinity leaves the limit to the signal. */
  readonly timeoutMs?: number;
  /** Whether it is sent for a client that has its own retries: the response is returned unchanged. */
  readonly forClient?: boolean;
  /** `answer`: a request that the server refuses resolves, with undefined; absent: it fails. */
  readonly refusal?: 'answer';
}

export class LanguageServer implements AsyncDisposable {
  readonly id: string;
  readonly capabilities = new Capabilities();
  readonly documents: OpenDocuments;
  readonly publications: Publications;
  readonly progress: Progress;
  /** Resolves, never rejects, when the server has exited. */
  readonly exited: Promise<ServerExit>;
  readonly #options: ServerOptions;
  readonly #transport: Transport;
  readonly #log: Log;
  readonly #rpc: Rpc;
  readonly #life = new AbortController();
  #folders: readonly WorkspaceFolder[];
  #settings: unknown;
  #encoding: PositionEncoding = 'utf-16';
  #noticed: Channel<ProtocolMessage> | undefined;
  #stopping: Promise<void> | undefined;

  /** Starts or connects to a server and performs the handshake; if it fails, nothing is left running. */
  static async start(options: ServerOptions, log: Log, signal: AbortSignal): Promise<LanguageServer> {
    signal.throwIfAborted();
    const server = new LanguageServer(options, await openTransport(options, log, signal), log);
    try {
      await server.#initialize(signal);
      return server;
    } catch (thrown) {
      server.#stopping = server.#kill();
      await server.#stopping;
      if (signal.aborted) throw signal.reason;
      if (thrown instanceof ProtocolGarbage) throw thrown;
      if (thrown instanceof RequestTimeout && options.transport.kind === 'tcp')
        throw new EndpointSilent(options.transport, thrown);
      throw new InitializeFailed(options.id, thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  private constructor(options: ServerOptions, transport: Transport, log: Log) {
    this.id = options.id;
    this.#options = options;
    this.#folders = options.workspaceFolders;
    this.#settings = options.settings;
    this.#transport = transport;
    this.#log = log;
    const announcesStatus = options.experimental?.serverStatusNotification === true;
    this.publications = new Publications(this.#life.signal);
    const quiescence = announcesStatus ? 'announced' : 'unannounced';
    const { untitledWork = 'counts' } = options;
    this.progress = new Progress({ quiescence, untitledWork }, this.#life.signal);
    this.documents = new OpenDocuments(this.#documentWire());
    const folders = () => this.#folders;
    const settings = () => this.#settings;
    const context = { options, settings, folders, capabilities: this.capabilities };
    this.#rpc = new Rpc(
      transport,
      {
        request: (method, params) => answerServer(context, method, params),
        notification: (method, params) => this.#onNotification(method, params),
      },
      log,
    );
    this.exited = this.#watch();
  }

  /** Every notification of the server, after it was processed here; made for its first listener, since most have none. */
  get noticed(): Channel<ProtocolMessage> {
    this.#noticed ??= new Channel();
    return this.#noticed;
  }

  /** Absent for a server that runs elsewhere. */
  get pid(): number | undefined {
    return this.#transport.pid;
  }

  /**
   * Replaces the folders besides the first, which is the workspace itself; a server that supports such changes is
   * notified of the difference.
   */
  setAddedFolders(more: readonly WorkspaceFolder[]): void {
    const before = this.#folders;
    const folders = [...before.slice(0, 1), ...more];
    this.#folders = folders;
    const added = folders.filter(({ uri }) => !before.some((known) => known.uri === uri));
    const removed = before.filter(({ uri }) => !folders.some((kept) => kept.uri === uri));
    if (added.length + removed.length === 0 || !this.capabilities.takesFolderChanges) return;
    this.notify('workspace/didChangeWorkspaceFolders', { event: { added, removed } });
  }

  get isRunning(): boolean {
    return !this.#life.signal.aborted && this.#stopping === undefined;
  }

  /**
   * Sends a request. If the server cancels it because its state has changed, it is retried until the deadline, except
   * for a command, which may have taken effect, and a forwarded request.
   */
  request(method: string, params: unknown, options: RequestOptions, signal: AbortSignal): Promise<unknown> {
    const timeoutMs = options.timeoutMs ?? requestDeadlineMs(method);
    const isFinal = options.forClient === true || method === 'workspace/executeCommand';
    const stale = isFinal ? 'report' : 'retry';
    if (suggestionMethods.has(method)) this.#configureSuggestions();
    return this.#rpc.request(method, params, { timeoutMs, stale, refusal: options.refusal }, signal);
  }

  /** Sends a notification; throws the failure that ended the server if it has exited. */
  notify(method: string, params: unknown): void {
    this.#rpc.notify(method, params);
  }

  /** Shuts the server down, or kills it if it does not exit; closes the connection to a server that is not ours. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #initialize(signal: AbortSignal): Promise<void> {
    const timeoutMs = handshakeMs(this.#options);
    const params = initializeParams(this.#options);
    const answer = await this.#rpc.request('initialize', params, { timeoutMs, stale: 'report' }, signal);
    const result = readInitializeResult(answer);
    this.#encoding = result.encoding;
    this.capabilities.announce(result.capabilities, result.info);
    this.notify('initialized', {});
    if (this.#options.sendsConfigurationAfterStart) {
      this.notify('workspace/didChangeConfiguration', { settings: this.#settings ?? {} });
    }
  }

  #configureSuggestions(): void {
    const { suggestionSettings } = this.#options;
    if (suggestionSettings === undefined || this.#settings === suggestionSettings) return;
    this.#settings = suggestionSettings;
    this.notify('workspace/didChangeConfiguration', { settings: suggestionSettings });
  }

  /**
   * Turns the exit of the process or the end of the stream, whichever comes first, into one failure for all callers.
   */
  async #watch(): Promise<ServerExit> {
    const broken = await Promise.race([this.#transport.exited.then(() => undefined), this.#rpc.ended]);
    const garbage = broken instanceof ProtocolGarbage ? broken : undefined;
    // Garbage fails at once. A stream that merely closed is followed by the exit of the process.
    if (garbage) this.#end(garbage);
    const report = await (garbage ? this.#transport.kill() : this.#exitSoon());
    const failure = garbage ?? new ServerCrashed(this.id, report, { cause: broken });
    if (this.#stopping !== undefined) {
      this.#end(new ServerStopped(this.id));
      return { kind: 'stopped' };
    }
    this.#end(failure);
    this.#log.warning('lsp.server_ended', { server: this.id, code: failure.code, error: failure.message });
    return { kind: 'crashed', failure };
  }

  /** A server that closed its output can answer nothing: if it does not exit by itself, it is killed. */
  async #exitSoon(): Promise<Awaited<Transport['exited']>> {
    const timer = setTimeout(() => void this.#transport.kill(), this.#stopping ? stopMs : lingerMs);
    const report = await this.#transport.exited;
    clearTimeout(timer);
    return report;
  }

  #end(failure: Failure): void {
    this.#rpc.close(failure);
    this.#life.abort(failure);
  }

  async #stop(): Promise<void> {
    if (!this.#life.signal.aborted && this.#options.transport.kind === 'stdio') await this.#askToExit();
    await this.#kill();
  }

  async #kill(): Promise<void> {
    await this.#transport.kill();
    await this.exited;
  }

  async #askToExit(): Promise<void> {
    using deadline = new Deadline(stopMs, neverAborts());
    try {
      await this.#rpc.request('shutdown', undefined, { stale: 'report' }, deadline.signal);
      this.notify('exit', undefined);
      await abortable(this.#transport.exited, deadline.signal);
    } catch (thrown) {
      this.#log.info('lsp.shutdown_forced', { server: this.id, error: messageOf(thrown) });
    }
  }

  #onNotification(method: string, params: unknown): void {
    if (method === serverMessages.publishDiagnostics) this.#publish(params);
    else if (method === serverMessages.progress) this.progress.report(params);
    else if (method === serverMessages.serverStatus) this.progress.reportStatus(params);
    else if (method === 'window/logMessage' || method === 'window/showMessage') this.#logMessage(params);
    this.#noticed?.emit({ method, params });
  }

  #publish(params: unknown): void {
    if (!isRecord(params) || typeof params.uri !== 'string') return;
    const { uri, version } = params;
    const diagnostics = parseDiagnostics(params.diagnostics, rangeDecoder(this, uri));
    this.publications.receive({ uri, diagnostics, ...(typeof version === 'number' && { version }) });
  }

  #logMessage(params: unknown): void {
    if (!isRecord(params)) return;
    const fields = { server: this.id, message: params.message };
    if (params.type === 1 || params.type === 2) this.#log.info('lsp.message', fields);
    else this.#log.debug('lsp.message', fields);
  }

  #documentWire(): DocumentWire {
    const { capabilities } = this;
    const encoding = (): PositionEncoding => this.#encoding;
    return {
      get syncKind() {
        return capabilities.syncKind;
      },
      get encoding() {
        return encoding();
      },
      didChangeExtras: this.#options.didChangeExtras ?? {},
      touchExtras: this.#options.touchExtras ?? {},
      touchesBy: this.#options.touchesBy,
      notify: (method, params) => this.notify(method, params),
    };
  }
}

const stopMs = 3000;

/** Requests whose answers `suggestionSettings` decide. */
const suggestionMethods: ReadonlySet<string> = new Set([
  'textDocument/completion',
  'textDocument/codeAction',
]);

/** How long a server that closed its output may take to exit by itself. */
const lingerMs = 1000;

/** A running server has loaded already; one that is started here may load before it responds. */
function handshakeMs({ transport, initializeTimeoutMs }: ServerOptions): number {
  if (transport.kind !== 'tcp') return initializeTimeoutMs ?? requestDeadlineMs('initialize');
  return transport.answerMs ?? initializeTimeoutMs ?? runningServerMs;
}

const runningServerMs = 30_000;

/** How long a server may take to respond, by method. */
const deadlinesMs: Readonly<Record<string, number>> = {
  initialize: 300_000,
  'textDocument/references': 120_000,
  'callHierarchy/incomingCalls': 60_000,
  'callHierarchy/outgoingCalls': 60_000,
  'typeHierarchy/supertypes': 60_000,
  'typeHierarchy/subtypes': 60_000,
  'textDocument/documentHighlight': 10_000,
};

const otherwiseMs = 30_000;

function requestDeadlineMs(method: string): number {
  return deadlinesMs[method] ?? otherwiseMs;
}
