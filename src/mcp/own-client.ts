/**
 * A client inside this process: its calls take the same path as those of any other client.
 *
 * Invariant: it is closed, with its server, when its work is done or the signal aborts.
 */
import {
  InMemoryTransport,
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
} from '@modelcontextprotocol/server';
import { abortable } from '../base/deadline.ts';
import { createMcpServer } from './mcp-server.ts';
import type { McpServerOptions } from './mcp-server-options.ts';

export interface OwnCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Makes the calls one after the other, whatever their results. */
export async function callAsClient(
  options: McpServerOptions,
  calls: readonly OwnCall[],
  signal: AbortSignal,
): Promise<void> {
  const [client, other] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(options);
  try {
    await server.connect(other);
    const ask = questions(client);
    const hello = { clientInfo: { name: 'forerun', version: options.version }, capabilities: {} };
    await abortable(ask('initialize', { ...hello, protocolVersion: LATEST_PROTOCOL_VERSION }), signal);
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const call of calls) await abortable(ask('tools/call', { ...call }), signal);
  } finally {
    // Closing aborts the calls in progress.
    await server.close();
    await options.connection[Symbol.asyncDispose]();
  }
}

type Ask = (method: string, params: Record<string, unknown>) => Promise<void>;

/** Sends requests one at a time; each waits for its response. */
function questions(client: InMemoryTransport): Ask {
  let id = 0;
  let answered = (_id: unknown): void => {};
  client.onmessage = (message: JSONRPCMessage) => {
    if ('id' in message && !('method' in message)) answered(message.id);
  };
  return (method, params) => {
    id += 1;
    const awaited = id;
    return new Promise((resolve, reject) => {
      answered = (given) => {
        if (given === awaited) resolve();
      };
      client.send({ jsonrpc: '2.0', id: awaited, method, params }).catch(reject);
    });
  };
}
