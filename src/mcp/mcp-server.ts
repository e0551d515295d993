/**
 * The tools as an MCP server: identity, listing, calls, logging, progress and cancellation.
 *
 * Invariant: the handshake waits for nothing; tools and everything behind them load on first use. A tool's failure is
 * an error result, and only an unknown tool is a protocol error.
 */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../base/failure.ts';
import type { LogRecord } from '../base/log.ts';
import type { ConnectionCall } from '../host/connection.ts';
import { UnknownTool } from '../tools/failure.ts';
import { contentOf } from '../tools/tool-result.ts';
import { identity } from './handshake.ts';
import { LiveResources } from './live-resources.ts';
import type { ConnectionLogSink } from './log-sink.ts';
import type { McpServerOptions } from './mcp-server-options.ts';
import { progressReporter } from './progress-reporter.ts';
import { servePrompts } from './prompts.ts';
import { toolListing } from './tool-listing.ts';
import { cardLink, cardMeta, showsCards } from './what-if-view.ts';

export function createMcpServer(options: McpServerOptions): Server {
  const { info, options: offered } = identity(options.version);
  const server = new Server(info, offered);
  const resources = new LiveResources(server, options);
  server.setRequestHandler('tools/list', async () => {
    const { listed } = await options.connection.get();
    return { tools: toolListing(listed, showsCards(server) ? cardLink : undefined) };
  });
  server.setRequestHandler('tools/call', ({ params }, request) =>
    callTool(options, { server, name: params.name, arguments: params.arguments, resources }, request),
  );
  servePrompts(server, options.skills);
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    options.logSink.setLevel(params.level);
    return {};
  });
  server.oninitialized = () => {
    options.logSink.attach((record) => send(server, record, options.logSink));
    // The handshake is done: load what the first call needs before it arrives.
    options.connection
      .get()
      .then((connection) => resources.begin(connection))
      .catch((thrown) =>
        options.log.error('mcp.load-failed', { code: 'mcp/load-failed', error: messageOf(thrown) }),
      );
  };
  server.onclose = () => {
    options.logSink.detach();
    resources[Symbol.dispose]();
  };
  server.onerror = (error) => options.log.debug('mcp.protocol-error', { message: error.message });
  return server;
}

interface CalledTool {
  readonly server: Server;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  readonly resources: LiveResources;
}

async function callTool(
  options: McpServerOptions,
  { server, resources, ...call }: CalledTool,
  request: ServerContext,
): Promise<CallToolResult> {
  options.onCall?.();
  const connection = await options.connection.get();
  // A client of a protocol revision without a handshake begins with a call.
  resources.begin(connection);
  const caller: ConnectionCall['caller'] = {
    client: server.getClientVersion()?.name,
    setLogLevel: (level) => options.logSink.setLevel(level),
    progress: progressReporter(request, options.log),
  };
  try {
    const result = await connection.call({ ...call, caller }, request.mcpReq.signal);
    resources.called(call.arguments);
    const meta = showsCards(server) ? await cardMeta(result) : undefined;
    return {
      content: contentOf(result).map((text) => ({ type: 'text', text })),
      ...(result.isError && { isError: true }),
      ...(meta && { _meta: meta }),
    };
  } catch (thrown) {
    if (thrown instanceof UnknownTool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message, { code: thrown.code });
    }
    throw thrown;
  }
}

/** A record that cannot be sent to the client goes to the fallback of the log instead. */
function send(server: Server, record: LogRecord, logSink: ConnectionLogSink): void {
  const { level, logger, event, fields } = record;
  server.sendLoggingMessage({ level, logger, data: { event, ...fields } }).catch(() => {
    logSink.detach();
    logSink.write(record);
  });
}
