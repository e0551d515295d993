/**
 * Serves one editor to browsers of this machine.
 *
 * Invariants: it listens on a loopback address only. Nothing of the workspace is sent before a browser has shown the
 * cookie that the secret of the address is exchanged for; every request must be addressed to this machine, and those
 * with an effect must come from our own page. Pages may connect and disconnect as often as they like.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context, Hono } from 'hono';
import { WebSocketServer } from 'ws';
import type { Log } from '../base/log.ts';
import { AllowedHosts } from '../http/allowed-hosts.ts';
import { createHttpApp } from '../http/http-app.ts';
import { HttpListener } from '../http/http-listener.ts';
import type { Editor } from './editor.ts';
import { isOwnOrigin, PageEntry } from './page-entry.ts';
import { contentSecurityPolicy, PageFiles } from './page-files.ts';
import { defaultLinkLimits, type LinkLimits, PageLink } from './page-link.ts';
import { enterRequest } from './protocol.ts';

export interface EditorServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The directory of the built page. */
  readonly webDirectory: string;
  readonly limits?: LinkLimits;
  readonly log: Log;
}

const address = '127.0.0.1';

/** A message holds at most the text of a buffer. */
const largestMessageBytes = 32 * 2 ** 20;

/** More than any person has tabs. */
const mostLinks = 64;

export class EditorServer implements AsyncDisposable {
  readonly #editor: Editor;
  readonly #entry = new PageEntry();
  readonly #hosts = new AllowedHosts(address);
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessageBytes,
    perMessageDeflate: false,
  });
  readonly #options: EditorServerOptions;
  readonly #links = new Set<PageLink>();
  #listener: HttpListener | undefined;

  /** Resolves when browsers can connect. */
  static async start(
    editor: Editor,
    options: EditorServerOptions,
    signal: AbortSignal,
  ): Promise<EditorServer> {
    const server = new EditorServer(editor, options);
    const files = await PageFiles.in(options.webDirectory);
    const app = server.#app(files);
    server.#listener = await HttpListener.start(
      {
        address,
        port: options.port,
        fetch: (request) => app.fetch(request),
        upgrade: (request, socket, head) => server.#upgrade(request, socket, head),
        log: options.log,
      },
      signal,
    );
    return server;
  }

  private constructor(editor: Editor, options: EditorServerOptions) {
    this.#editor = editor;
    this.#options = options;
  }

  /** Without the secret, for logs and documents. */
  get origin(): string {
    return this.#listener?.url ?? '';
  }

  /** What a person opens. Whoever has it gets in. */
  get url(): string {
    return `${this.origin}/#${this.#entry.secret}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const link of [...this.#links]) link[Symbol.dispose]();
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#listener?.close();
  }

  #app(files: PageFiles): Hono {
    const { log } = this.#options;
    const app = createHttpApp({ hosts: this.#hosts, token: 'anybody', maxBodyBytes: 4096, log });
    app.post('/enter', (context) => this.#enter(context));
    app.get(this.#entry.linkPath, (context) => {
      const isAdmitted = this.#entry.admits(context.req.path, context.req.header('cookie'));
      return isAdmitted ? context.json({ status: 'ok' }) : context.json({ error: 'unauthorized' }, 401);
    });
    app.get('*', async (context) => {
      const file = await files.read(context.req.path);
      if (!file) return context.notFound();
      return context.body(file.bytes, 200, {
        'Content-Type': file.type,
        'Content-Security-Policy': contentSecurityPolicy(context.req.header('host') ?? ''),
        'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
    });
    return app;
  }

  /** Exchanges the secret of the address for the cookie. */
  async #enter(context: Context): Promise<Response> {
    const { req } = context;
    if (!isOwnOrigin(req.header('origin'), req.header('host'))) {
      return context.json({ error: 'forbidden', message: 'only our own page may enter' }, 403);
    }
    const given = enterRequest.safeParse(await req.json().catch(() => undefined));
    const cookie = given.success ? this.#entry.cookieFor(given.data.secret) : undefined;
    if (cookie === undefined) {
      this.#options.log.info('editor.entry-refused', { code: 'editor/entry-refused' });
      return context.json({ error: 'unauthorized' }, 401);
    }
    return context.json({ link: this.#entry.linkPath }, 200, { 'Set-Cookie': cookie });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.#refusal(request);
    if (refusal !== undefined) {
      this.#options.log.info('editor.link-refused', { code: 'editor/link-refused', status: refusal });
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const { limits = defaultLinkLimits, log } = this.#options;
      const link = new PageLink(this.#editor, { socket: webSocket, limits, log });
      this.#links.add(link);
      webSocket.once('close', () => this.#links.delete(link));
    });
  }

  #refusal({ url, headers }: IncomingMessage): string | undefined {
    const { host, origin, cookie } = headers;
    if (!this.#hosts.admitsHost(host) || !isOwnOrigin(origin, host)) return '403 Forbidden';
    if (!this.#entry.admits(url, cookie)) return '401 Unauthorized';
    return this.#links.size >= mostLinks ? '503 Service Unavailable' : undefined;
  }
}
