/**
 * A Unix socket of a confined program, for this process to connect to.
 *
 * Invariant: a connection leads to the socket that was opened. The program may replace it by a link to a socket of the
 * machine at any time, so it is opened without following links, and its descriptor is what is connected to.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errnoOf } from '../../base/errno.ts';
import { Failure } from '../../base/failure.ts';

/** A socket to connect to, until it is disposed. */
export interface ReachedSocket extends AsyncDisposable {
  readonly path: string;
}

export class SocketNotInside extends Failure {
  readonly code = 'sandbox/socket-not-inside';
  readonly remedy = 'Have the program make its socket directly in /tmp.';
}

/** Opens a name of the file system without rights to its content; Node has no constant for it. */
const nameOnly = 0o10000000;

/** `root` is the root directory of the program, `path` what the program calls its socket. */
export async function insideSocket(root: string, path: string): Promise<ReachedSocket> {
  // The only directory whose own path the program cannot turn into a link.
  if (!/^\/tmp\/[^/]+$/.test(path) || path === '/tmp/..')
    throw new SocketNotInside(`${path} is no socket in /tmp`);
  const handle = await openName(`${root}${path}`, path);
  if (!(await handle.stat()).isSocket()) {
    await handle.close();
    throw new SocketNotInside(`${path} is no socket`);
  }
  return { path: `/proc/self/fd/${handle.fd}`, [Symbol.asyncDispose]: () => handle.close() };
}

async function openName(place: string, path: string): Promise<FileHandle> {
  try {
    return await open(place, nameOnly | constants.O_NOFOLLOW);
  } catch (thrown) {
    throw new SocketNotInside(`${path} cannot be opened (${errnoOf(thrown) ?? 'for an unknown reason'})`, {
      cause: thrown,
    });
  }
}
