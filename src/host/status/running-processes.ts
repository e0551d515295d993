/**
 * The status of every running process of this user.
 *
 * Invariant: a process that does not answer in time is listed as such, never omitted; a socket without a listener is
 * removed.
 */

import { unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Deadline, onAbort } from '../../base/deadline.ts';
import { errnoOf } from '../../base/errno.ts';
import { type RunSocket, socketsIn } from './run-directory.ts';
import { type StatusDocument, statusDocument } from './status-document.ts';

export type RunningProcess =
  | { readonly kind: 'answered'; readonly status: StatusDocument }
  | { readonly kind: 'silent'; readonly pid: number };

/** A process that is not blocked answers at once. */
const defaultTimeoutMs = 3000;

export async function runningProcesses(
  directories: readonly string[],
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number },
  signal: AbortSignal,
): Promise<readonly RunningProcess[]> {
  const sockets = (await Promise.all(directories.map(socketsIn))).flat();
  using deadline = new Deadline(timeoutMs, signal);
  const asked = await Promise.all(sockets.map((socket) => ask(socket, deadline.signal)));
  signal.throwIfAborted();
  return asked.filter((process) => process !== undefined).sort((a, b) => pidOf(a) - pidOf(b));
}

async function ask({ pid, path }: RunSocket, signal: AbortSignal): Promise<RunningProcess | undefined> {
  try {
    return { kind: 'answered', status: statusDocument.parse(JSON.parse(await answerAt(path, signal))) };
  } catch (thrown) {
    const errno = errnoOf(thrown);
    if (errno === 'ENOENT') return undefined;
    if (errno !== 'ECONNREFUSED') return { kind: 'silent', pid };
    await unlink(path).catch(() => undefined);
    return undefined;
  }
}

async function answerAt(path: string, signal: AbortSignal): Promise<string> {
  const socket = connect({ path, allowHalfOpen: true });
  const stop = (): void => void socket.destroy(new Error('no answer in time'));
  if (signal.aborted) stop();
  const forget = onAbort(signal, stop);
  try {
    return await text(socket);
  } finally {
    forget();
    socket.destroy();
  }
}

function pidOf(process: RunningProcess): number {
  return process.kind === 'answered' ? process.status.pid : process.pid;
}
