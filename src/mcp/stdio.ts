/**
 * MCP over this process's standard input and output.
 *
 * Invariants: a line that is not a message is answered with an error and dropped, and the connection continues; the
 * first request is answered before the protocol library is loaded, if possible.
 */

import { once } from 'node:events';
import { onAbort } from '../base/deadline.ts';
import { type Greeting, greetingIn } from './handshake.ts';
import { LineGate } from './line-gate.ts';
import type { McpServerOptions } from './mcp-server-options.ts';

/** Enough for a file of some megabytes in one argument, not for an endless line. */
const maxMessageBytes = 16 * 1024 * 1024;

/** A client usually sends `initialize` at once; after this delay the library is loaded anyway. */
const greetingMs = 25;

/** Serves until the client closes its end or the signal aborts. */
export async function serveOverStdio(options: McpServerOptions, signal: AbortSignal): Promise<void> {
  const gate = new LineGate({
    maxLineBytes: maxMessageBytes,
    onFault: (fault) => {
      options.log.debug('mcp.bad-message', { code: 'mcp/bad-message', message: fault.message });
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: fault })}\n`);
    },
  });
  const ended = new Promise<void>((resolve) => {
    gate.once('end', resolve);
    gate.once('close', resolve);
    process.stdout.once('error', () => resolve());
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
  process.stdin.pipe(gate);
  const greeting = await greeted(gate, options.version);
  if (greeting) process.stdout.write(greeting.answer);
  const { serveStreams } = await import('./stdio-server.ts');
  const handle = serveStreams(options, {
    input: gate,
    output: process.stdout,
    maxBufferSize: 2 * maxMessageBytes,
    answered: greeting?.id,
  });
  await ended;
  await handle.close();
  await options.connection[Symbol.asyncDispose]();
}

/** Reads the first line without consuming it. */
async function greeted(gate: LineGate, version: string): Promise<Greeting | undefined> {
  const waiting = AbortSignal.timeout(greetingMs);
  try {
    await once(gate, 'readable', { signal: waiting });
  } catch (thrown) {
    if (!waiting.aborted) throw thrown;
    return undefined;
  }
  const chunk: unknown = gate.read();
  if (!Buffer.isBuffer(chunk)) return undefined;
  gate.unshift(chunk);
  return greetingIn(chunk.toString('utf8', 0, chunk.indexOf('\n')), version);
}
