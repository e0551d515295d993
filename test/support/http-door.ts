/** The tools served over HTTP inside this process, on a port of their own, with everything said on the way. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Log, type LogRecord } from '../../src/base/log.ts';
import { Connection } from '../../src/host/connection.ts';
import { Forerun } from '../../src/host/forerun.ts';
import { Lazy } from '../../src/host/lazy.ts';
import { BearerToken } from '../../src/http/bearer-token.ts';
import type { HttpLimits } from '../../src/http/http-listener.ts';
import type { ConnectionLimits } from '../../src/mcp/http.ts';
import { ConnectionLogSink } from '../../src/mcp/log-sink.ts';
import type { McpServerOptions } from '../../src/mcp/mcp-server-options.ts';
import { serveOverHttp } from '../../src/mcp/serve-http.ts';
import { RootBoundary } from '../../src/workspace/root-boundary.ts';

export const secret = 'correct-horse-battery-staple';

export interface HttpDoorOptions {
  readonly limits?: HttpLimits;
  readonly connectionLimits?: ConnectionLimits;
  readonly allowedHosts?: readonly string[];
  /** As `--root` on the command line. */
  readonly roots?: readonly string[];
}

export class HttpDoor implements AsyncDisposable {
  readonly url: string;
  readonly auditPath: string;
  /** Every record logged by the process or a connection, as one would read it. */
  readonly said: string[];
  readonly forerun: Forerun;
  readonly #life: AbortController;
  readonly #serving: Promise<void>;
  readonly #scratch: string;
  readonly #clients: Client[] = [];

  private constructor(parts: {
    url: string;
    said: string[];
    forerun: Forerun;
    life: AbortController;
    serving: Promise<void>;
    scratch: string;
  }) {
    this.url = parts.url;
    this.said = parts.said;
    this.forerun = parts.forerun;
    this.#life = parts.life;
    this.#serving = parts.serving;
    this.#scratch = parts.scratch;
    this.auditPath = join(parts.scratch, 'audit.jsonl');
  }

  static async open(options: HttpDoorOptions = {}): Promise<HttpDoor> {
    const scratch = await mkdtemp(join(tmpdir(), 'forerun-http-'));
    const said: string[] = [];
    const log = new Log((record: LogRecord) => said.push(JSON.stringify(record)));
    const auditPath = join(scratch, 'audit.jsonl');
    const boundary = options.roots && (await RootBoundary.of(options.roots));
    const forerun = new Forerun({
      definitions: 'detect',
      log,
      env: process.env,
      audit: { file: auditPath },
      boundary,
    });
    const life = new AbortController();
    let serving: Promise<void> = Promise.resolve();
    const url = await new Promise<string>((resolve, reject) => {
      serving = serveOverHttp(
        {
          address: '127.0.0.1',
          port: 0,
          allowedHosts: options.allowedHosts ?? [],
          token: new BearerToken(secret),
          connect: () => connection(forerun, said),
          onListening: resolve,
          ...(options.limits && { limits: options.limits }),
          ...(options.connectionLimits && { connectionLimits: options.connectionLimits }),
          log,
        },
        life.signal,
      );
      serving.catch(reject);
    });
    return new HttpDoor({ url, said, forerun, life, serving, scratch });
  }

  /** An official client that has come in. */
  async client(options: ClientOptions = {}): Promise<Client> {
    const client = new Client({ name: 'test', version: '0' }, options);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(this.url), {
        requestInit: { headers: { Authorization: `Bearer ${secret}` } },
      }),
    );
    this.#clients.push(client);
    return client;
  }

  /** A plain request, with the token unless other headers are given. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(new URL(path, this.url), { headers: { Authorization: `Bearer ${secret}` }, ...init });
  }

  /** Asks the door to close; resolves when it has. */
  async end(): Promise<void> {
    this.#life.abort(new Error('the test is over'));
    await this.#serving;
  }

  flushAudit(): Promise<void> {
    return this.forerun.audit?.flush() ?? Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.end();
    await this.forerun[Symbol.asyncDispose]();
    await rm(this.#scratch, { recursive: true, force: true });
  }
}

function connection(forerun: Forerun, said: string[]): McpServerOptions {
  const logSink = new ConnectionLogSink('debug', (line) => said.push(line));
  const log = new Log(logSink.write);
  const connection = new Lazy(
    async () => new Connection(forerun, { log, skills: async () => [], toolset: 'full', sessions: 'memory' }),
  );
  return { version: '0', log, logSink, connection, skills: async () => [] };
}
