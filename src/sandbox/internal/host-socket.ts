/**
 * Named Unix sockets of the machine.
 *
 * Invariant: the list contains only sockets outside the directories that are emptied for commands.
 */
import { readFile } from 'node:fs/promises';
import { isMissing } from '../../base/errno.ts';

/**
 * Sockets of other processes that a command could still reach by path: a read-only mount does not prevent a
 * connection.
 */
export async function reachableSockets(): Promise<readonly string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch((thrown: unknown) => {
    if (isMissing(thrown)) return '';
    throw thrown;
  });
  const names = table.split('\n').flatMap((line) => /^(?:\S+ +){6}\S+ (\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(names)].filter((name) => !/^\/(?:tmp|run|var\/run|var\/tmp|proc|dev)\//.test(name));
}
