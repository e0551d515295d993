/**
 * MCP over this process's standard input and output.
 *
 * Invariant: a line that is not a message is answered with a fault and forgotten; the connection goes on.
 */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineGate } from './line-gate.ts';
import { createMcpServer } from './mcp-server.ts';
import type { McpServerOptions } from './served-connection.ts';

/** Room for a file of some megabytes in one argument, not for an endless line. */
const maxMessageBytes = 16 * 1024 * 1024;

/** Serves until the client closes its end or the signal aborts. */
export async function serveOverStdio(options: McpServerOptions, signal: AbortSignal): Promise<void> {
  const gate = new LineGate({
    maxLineBytes: maxMessageBytes,
    onFault: (fault) => {
      options.log.debug('mcp.bad-message', { code: 'mcp/bad-message', message: fault.message });
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: fault })}\n`);
    },
  });
  process.stdin.pipe(gate);
  const transport = new StdioServerTransport(gate, process.stdout, { maxBufferSize: 2 * maxMessageBytes });
  const handle = serveStdio(() => createMcpServer(options), {
    transport,
    onerror: (error) => options.log.debug('mcp.transport-error', { message: error.message }),
  });
  await new Promise<void>((resolve) => {
    gate.once('end', resolve);
    gate.once('close', resolve);
    process.stdout.once('error', () => resolve());
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
  options.release();
}
