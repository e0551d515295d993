/** The protocol library on a pair of streams; loading this module is what makes a start slow. */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './mcp-server.ts';
import type { McpServerOptions } from './mcp-server-options.ts';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxBufferSize: number;
  /** The request that was answered already; the library processes it, but its response is not sent again. */
  readonly answered: string | number | undefined;
}

export function serveStreams(options: McpServerOptions, streams: StdioStreams): { close(): Promise<void> } {
  return serveStdio(() => createMcpServer(options), {
    transport: new AnsweredTransport(streams),
    onerror: (error) => options.log.debug('mcp.transport-error', { message: error.message }),
  });
}

class AnsweredTransport extends StdioServerTransport {
  #answered: string | number | undefined;

  constructor({ input, output, maxBufferSize, answered }: StdioStreams) {
    super(input, output, { maxBufferSize });
    this.#answered = answered;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.#answered !== undefined && 'result' in message && message.id === this.#answered) {
      this.#answered = undefined;
      return;
    }
    await super.send(message);
  }
}
