/**
 * The resources of one connection and the notifications sent to it.
 *
 * Invariant: nothing is sent before the client has completed the handshake or made a call, and nothing after it has
 * gone.
 */
import type { Server } from '@modelcontextprotocol/server';
import { messageOf } from '../base/failure.ts';
import type { LogLevel } from '../base/log.ts';
import type { Connection } from '../host/connection.ts';
import { dispatch } from '../tools/dispatch.ts';
import { cardUri } from '../tools/what-if/what-if-card.ts';
import type { McpServerOptions } from './mcp-server-options.ts';
import { Notifications } from './notifications.ts';
import { diagnosticsUri, sessionUri } from './resource-uri.ts';
import {
  listResources,
  listTemplates,
  type ResourceSource,
  readResource,
  requireSubscribable,
} from './resources.ts';
import { Subscriptions } from './subscription.ts';
import { cardResource, readCardPage, showsCards } from './what-if-view.ts';

/** From this revision on clients filter notifications themselves, and we do not know their filter. */
const selfFilteringSince = '2026-07-28';

export class LiveResources implements Disposable {
  readonly #server: Server;
  readonly #options: McpServerOptions;
  readonly #subscriptions = new Subscriptions();
  readonly #life = new AbortController();
  #notifications: Notifications | undefined;
  #isMeasuring = false;
  #isOutdated = false;

  constructor(server: Server, options: McpServerOptions) {
    this.#server = server;
    this.#options = options;
    server.setRequestHandler('resources/list', async () => {
      const { resources } = await listResources(await this.#source());
      return { resources: showsCards(server) ? [...resources, cardResource] : resources };
    });
    server.setRequestHandler('resources/templates/list', listTemplates);
    server.setRequestHandler('resources/read', async ({ params }, request) =>
      params.uri === cardUri
        ? readCardPage()
        : readResource(await this.#source(), params.uri, request.mcpReq.signal),
    );
    server.setRequestHandler('resources/subscribe', async ({ params }, request) => {
      await requireSubscribable(await this.#source(), params.uri, request.mcpReq.signal);
      this.#subscriptions.add(params.uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      this.#subscriptions.remove(params.uri);
      return {};
    });
  }

  /** Starts to send notifications; further calls have no effect. */
  begin({ notices }: Connection): void {
    if (this.#life.signal.aborted) return;
    this.#notifications ??= new Notifications({
      notices,
      followed: (fileUri) => this.#followed(fileUri),
      announce: (level, channel, data) => this.#announce(level, channel, data),
      updated: (uri) => this.#updated(uri),
      measureAgain: () => this.#measureAgain(),
    });
  }

  /** Call after a tool call that may have changed the session it names. */
  called(args: Readonly<Record<string, unknown>> | undefined): void {
    const uri = `${sessionUri}/${args?.session_id}`;
    if (args?.session_id !== undefined && (this.#filtersItself || this.#subscriptions.has(uri)))
      this.#updated(uri);
  }

  [Symbol.dispose](): void {
    this.#life.abort(new Error('the connection was closed'));
    this.#notifications?.[Symbol.dispose]();
  }

  async #source(): Promise<ResourceSource> {
    return sourceOf(await this.#options.connection.get(), this.#options);
  }

  #followed(fileUri: string): readonly string[] {
    if (!this.#filtersItself) return this.#subscriptions.forDiagnosticsOf(fileUri);
    return [diagnosticsUri, fileUri.replace(/^file:\/\//, diagnosticsUri)];
  }

  get #filtersItself(): boolean {
    return (this.#server.getNegotiatedProtocolVersion() ?? '') >= selfFilteringSince;
  }

  #announce(level: LogLevel, channel: string, data: Readonly<Record<string, unknown>>): void {
    if (!this.#options.logSink.passes(level)) return;
    const message = { level, logger: channel, data: JSON.stringify(data) };
    this.#survive(this.#server.sendLoggingMessage(message));
  }

  #updated(uri: string): void {
    this.#survive(this.#server.sendResourceUpdated({ uri }));
  }

  /**
   * Not every server publishes diagnostics after a change on disk, so those of subscribed files are requested.
   * Changes during such a request lead to one more round, not to a concurrent one.
   */
  #measureAgain(): void {
    this.#isOutdated = true;
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    this.#survive(
      this.#measure().finally(() => {
        this.#isMeasuring = false;
      }),
    );
  }

  async #measure(): Promise<void> {
    const served = await this.#options.connection.get();
    const { context, tools } = sourceOf(served, this.#options);
    const { audit: _unrecorded, ...unasked } = context;
    while (this.#isOutdated && !this.#life.signal.aborted) {
      this.#isOutdated = false;
      for (const wanted of new Set(this.#watched(served))) {
        const args = wanted === 'all' ? {} : { file_path: wanted };
        const call = { tools, guards: [], name: 'get_diagnostics', arguments: args };
        await dispatch(unasked, call, this.#life.signal);
      }
    }
  }

  #watched({ context, documents }: Connection): readonly string[] {
    const { active } = context.workspaces;
    if (!active) return [];
    return documents.list(active).length > 0
      ? ['all', ...this.#subscriptions.watched()]
      : this.#subscriptions.watched();
  }

  /** Notifications are best effort: the client may be gone, or not listen. */
  #survive(work: Promise<void>): void {
    work.catch((thrown: unknown) => {
      this.#options.log.debug('mcp.notice-lost', { code: 'mcp/notice-lost', error: messageOf(thrown) });
    });
  }
}

function sourceOf({ tools, context, documents }: Connection, { logSink }: McpServerOptions): ResourceSource {
  const connection = {
    documents,
    setLogLevel: (level: LogLevel) => logSink.setLevel(level),
    progress: () => {},
  };
  return { tools, context: { ...context, connection } };
}
