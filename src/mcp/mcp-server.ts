/**
 * The tools as an MCP server: identity, listing, calls, logging, progress and cancellation.
 *
 * Invariant: the handshake waits for nothing; tools and everything behind them load when first needed. A tool's
 * failure is an error result, and only an unknown tool is a protocol fault.
 */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../base/failure.ts';
import type { Log, LogRecord } from '../base/log.ts';
import { dispatch } from '../tools/dispatch.ts';
import { UnknownTool } from '../tools/failure.ts';
import type { OpenedDocuments } from '../tools/opened-documents.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolConnection, ToolContext } from '../tools/tool-context.ts';
import { contentOf } from '../tools/tool-result.ts';
import { instructions } from './instructions.ts';
import type { ConnectionLogSink } from './log-sink.ts';
import { progressReporter } from './progress-reporter.ts';
import { toolListing } from './tool-listing.ts';

export interface McpServerOptions {
  readonly version: string;
  readonly log: Log;
  readonly logSink: ConnectionLogSink;
  /** Loads the tools and what stands behind them; may be called often and loads once. */
  readonly load: () => Promise<ServedTools>;
}

export interface ServedTools {
  readonly tools: readonly Tool[];
  readonly context: Omit<ToolContext, 'connection'>;
  readonly documents: OpenedDocuments;
}

export function createMcpServer(options: McpServerOptions): Server {
  const server = new Server(
    { name: 'forerun', title: 'Forerun', version: options.version },
    { capabilities: { tools: {}, logging: {} }, instructions },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: toolListing((await options.load()).tools) }));
  server.setRequestHandler('tools/call', ({ params }, request) =>
    callTool(options, { name: params.name, arguments: params.arguments }, request),
  );
  server.setRequestHandler('logging/setLevel', ({ params }) => {
    options.logSink.setLevel(params.level);
    return {};
  });
  server.oninitialized = () => {
    options.logSink.attach((record) => send(server, record, options.logSink));
    // The handshake is answered: what the first call will need is fetched while the client thinks.
    options
      .load()
      .catch((thrown) =>
        options.log.error('mcp.load-failed', { code: 'mcp/load-failed', error: messageOf(thrown) }),
      );
  };
  server.onclose = () => options.logSink.detach();
  server.onerror = (error) => options.log.debug('mcp.protocol-error', { message: error.message });
  return server;
}

async function callTool(
  options: McpServerOptions,
  call: { readonly name: string; readonly arguments: unknown },
  request: ServerContext,
): Promise<CallToolResult> {
  const { tools, context, documents } = await options.load();
  const connection: ToolConnection = {
    documents,
    setLogLevel: (level) => options.logSink.setLevel(level),
    progress: progressReporter(request, options.log),
  };
  try {
    const result = await dispatch(
      { ...context, connection },
      { tools, guards: [], ...call },
      request.mcpReq.signal,
    );
    return {
      content: contentOf(result).map((text) => ({ type: 'text', text })),
      ...(result.isError && { isError: true }),
    };
  } catch (thrown) {
    if (thrown instanceof UnknownTool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, thrown.message, { code: thrown.code });
    }
    throw thrown;
  }
}

/** A record the client cannot be told goes to the log's own outlet rather than nowhere. */
function send(server: Server, record: LogRecord, logSink: ConnectionLogSink): void {
  const { level, logger, event, fields } = record;
  server.sendLoggingMessage({ level, logger, data: { event, ...fields } }).catch(() => {
    logSink.detach();
    logSink.write(record);
  });
}
