/**
 * `forerun mcp`: serves the tools over standard input and output.
 *
 * Invariant: the handshake is answered before anything behind the tools is loaded.
 */
import { Log } from '../base/log.ts';
import { ConnectionLogSink } from '../mcp/log-sink.ts';
import type { ServedTools } from '../mcp/mcp-server.ts';
import { serveOverStdio } from '../mcp/stdio.ts';
import type { House } from './house.ts';
import type { Life } from './lifetime.ts';
import { levelOfEnvironment, type McpArguments } from './mcp-arguments.ts';
import { version } from './version.ts';

export async function mcpCommand({ signal, closing }: Life, given: McpArguments): Promise<number> {
  const asked = levelOfEnvironment(process.env);
  const logSink = new ConnectionLogSink(given.logLevel ?? asked.level ?? 'info', (line) =>
    process.stderr.write(`${line}\n`),
  );
  const log = new Log(logSink.write);
  if (asked.unknown !== undefined) log.warning('log.unknown-level', { level: asked.unknown, used: 'info' });
  // A specification that cannot be read ends the program at once, not at the first call.
  const definitions = given.servers.kind === 'detect' ? ('detect' as const) : await readDefinitions(given);
  let house: House | undefined;
  let loading: Promise<ServedTools> | undefined;
  const load = (): Promise<ServedTools> => {
    loading ??= Promise.all([
      import('../tools/catalogue.ts'),
      import('../tools/opened-documents.ts'),
      import('./house.ts'),
    ]).then(([{ catalogue }, { OpenedDocuments }, { House }]) => {
      house = new House({ definitions, log, sessions: 'kept' });
      const { workspaces, sessions } = house;
      return { tools: catalogue, context: { workspaces, sessions, log }, documents: new OpenedDocuments() };
    });
    return loading;
  };
  await serveOverStdio({ version, log, logSink, load }, signal);
  closing();
  await loading?.catch(() => undefined);
  await house?.[Symbol.asyncDispose]();
  return 0;
}

async function readDefinitions(given: McpArguments) {
  const { definitionsOf } = await import('./server-choice.ts');
  return definitionsOf(given.servers);
}
