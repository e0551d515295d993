/**
 * `forerun mcp`: serves the tools over standard input and output, or over HTTP.
 *
 * Invariant: over standard input and output, the handshake is answered before anything behind the tools is loaded.
 */
import { Log, type LogLevel } from '../../base/log.ts';
import { levelOfEnvironment } from '../../config/environment.ts';
import { ConnectionLogSink } from '../../mcp/log-sink.ts';
import type { McpServerOptions } from '../../mcp/mcp-server-options.ts';
import { serveOverStdio } from '../../mcp/stdio.ts';
import { keepHeapSmall } from '../../process/small-heap.ts';
import type { ServerDefinition } from '../../servers/server-definition.ts';
import type { RootBoundary } from '../../workspace/root-boundary.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import type { HttpArguments, McpArguments } from './mcp-arguments.ts';
import { McpHost } from './mcp-host.ts';

export async function mcpCommand({ signal, closing }: ProcessLifetime, given: McpArguments): Promise<number> {
  keepHeapSmall();
  const asked = levelOfEnvironment(process.env);
  const chosen = given.logLevel ?? asked.level;
  let level = chosen ?? 'info';
  const newSink = () => new ConnectionLogSink(level, (line) => process.stderr.write(`${line}\n`));
  const logSink = newSink();
  // The settings are read after the handshake; flag and environment take precedence over them.
  const onLogLevel = (set: LogLevel): void => {
    if (chosen !== undefined) return;
    level = set;
    logSink.setDefaultLevel(set);
  };
  const log = new Log(logSink.write);
  if (asked.unknown !== undefined) log.warning('log.unknown-level', { level: asked.unknown, used: 'info' });
  // An invalid server specification ends the program at once, not at the first call.
  const definitions = given.servers.kind === 'detect' ? ('detect' as const) : await readDefinitions(given);
  const boundary = given.roots && (await boundaryOf(given.roots));
  const host = new McpHost({ given, definitions, boundary, log, onLogLevel, signal });
  if (given.http) {
    host.prepare();
    const connect = () => host.connection(newSink(), 'memory');
    await serveHttp(given.http, { connect, log }, signal);
  } else {
    await serveOverStdio(host.connection(logSink, 'kept', log), signal);
  }
  closing();
  await host[Symbol.asyncDispose]();
  return 0;
}

/** Loaded only if roots were given: it would delay every start. */
async function boundaryOf(roots: readonly string[]): Promise<RootBoundary> {
  const { RootBoundary: Boundary } = await import('../../workspace/root-boundary.ts');
  return Boundary.of(roots);
}

async function serveHttp(
  http: HttpArguments,
  { connect, log }: { readonly connect: () => McpServerOptions; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  const { accessOf } = await import('./http-access.ts');
  const token = await accessOf(http, process.env, log);
  const { serveOverHttp } = await import('../../mcp/serve-http.ts');
  const { address, port, allowedHosts } = http;
  const onListening = (url: string): void => log.info('http.listening', { url });
  await serveOverHttp({ address, port, allowedHosts, token, connect, onListening, log }, signal);
}

async function readDefinitions(given: McpArguments): Promise<readonly ServerDefinition[] | 'detect'> {
  const { definitionsOf } = await import('./server-choice.ts');
  const directories = [process.cwd(), ...(given.roots ?? [])];
  return definitionsOf(given.servers, { directories, env: process.env });
}
