/**
 * Sockets of the machine that have a name in the file system.
 *
 * Invariant: what is named is outside the directories that are emptied for commands; inside them there is nothing to hide.
 */
import { readFile } from 'node:fs/promises';
import { isMissing } from '../../base/errno.ts';

/** The sockets of other processes that a command could still reach by name: no read-only mount stops a connection. */
export async function reachableSockets(): Promise<readonly string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch((thrown: unknown) => {
    if (isMissing(thrown)) return '';
    throw thrown;
  });
  const names = table.split('\n').flatMap((line) => /^(?:\S+ +){6}\S+ (\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(names)].filter((name) => !/^\/(?:tmp|run|var\/run|var\/tmp|proc|dev)\//.test(name));
}
