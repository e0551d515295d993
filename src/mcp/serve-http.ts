/**
 * Serves MCP over HTTP until it is drained.
 *
 * Invariant: shutdown waits for the calls in progress, up to a limit.
 */

import { onAbort } from '../base/deadline.ts';
import type { Log } from '../base/log.ts';
import { AllowedHosts } from '../http/allowed-hosts.ts';
import type { BearerToken } from '../http/bearer-token.ts';
import { createHttpApp } from '../http/http-app.ts';
import { type HttpLimits, HttpListener } from '../http/http-listener.ts';
import { type ConnectionLimits, McpHttp, type McpHttpOptions } from './http.ts';

export interface ServeHttpOptions {
  readonly address: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly token: BearerToken | 'anybody';
  readonly connect: McpHttpOptions['connect'];
  readonly limits?: HttpLimits;
  readonly connectionLimits?: ConnectionLimits;
  /** Called with the URL once the server listens. */
  readonly onListening: (url: string) => void;
  readonly log: Log;
}

const maxBodyBytes = 4 * 1024 * 1024;

/** Of the five seconds that a process may take to exit, the language servers need some as well. */
const drainMs = 3500;

/** Serves until the signal aborts. */
export async function serveOverHttp(options: ServeHttpOptions, signal: AbortSignal): Promise<void> {
  const { address, port, token, connect, limits, connectionLimits, log } = options;
  const mcp = new McpHttp({
    connect,
    log,
    maxBodyBytes,
    ...(connectionLimits && { limits: connectionLimits }),
  });
  const hosts = new AllowedHosts(address, options.allowedHosts);
  const app = createHttpApp({ hosts, token, maxBodyBytes, log });
  app.all('/', (context) => mcp.handle(context.req.raw));
  const fetch = (request: Request) => app.fetch(request);
  const listener = await HttpListener.start({ address, port, fetch, log, ...(limits && { limits }) }, signal);
  options.onListening(listener.url);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
  await listener.drain(drainMs);
  await mcp[Symbol.asyncDispose]();
  listener.close();
}
