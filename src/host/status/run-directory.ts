/**
 * The directory of status sockets: one for each running process, named by its process id.
 *
 * Invariant: only this user can reach into the directory, and every path in it is short enough for a socket.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { statusSocketDirectories } from '../../storage/own-places.ts';
import { cacheDirectory } from '../../storage/user-directories.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the shortest of the usual limits leaves room for, its closing zero taken off. */
const longestSocketPath = 103;

/** Where pipes live on Windows; they have no directory of their own and go with their process. */
const pipes = '\\\\.\\pipe\\';
const pipeName = 'forerun-run-';

export interface RunSocket {
  readonly pid: number;
  readonly path: string;
}

/**
 * The directories to look in. The first is where we would listen; others may run with another environment, and do
 * so elsewhere.
 */
export function runDirectories(env: Environment): readonly string[] {
  if (process.platform === 'win32') return [pipes];
  return statusSocketDirectories(env, cacheDirectory(env)).filter(
    (directory) => Buffer.byteLength(socketIn(directory, 2 ** 31).path) <= longestSocketPath,
  );
}

export function socketIn(directory: string, pid: number): RunSocket {
  const path = directory === pipes ? `${pipes}${pipeName}${pid}` : join(directory, `${pid}.sock`);
  return { pid, path };
}

/** The sockets in a directory, those included that nobody listens at any more. */
export async function socketsIn(directory: string): Promise<readonly RunSocket[]> {
  const names = await readdir(directory).catch(() => []);
  return names.flatMap((name) => {
    const pid = (directory === pipes ? /^forerun-run-(\d+)$/ : /^(\d+)\.sock$/).exec(name)?.[1];
    return pid === undefined ? [] : [socketIn(directory, Number(pid))];
  });
}
