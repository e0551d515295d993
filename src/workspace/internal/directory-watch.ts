/**
 * Watches directory by directory, as Linux does it.
 *
 * The kernel queues an event before the call that caused it returns, and the event loop takes in the whole
 * queue whenever it polls. Two turns of the loop hold one full poll, so after them nothing is outstanding.
 *
 * Invariant: an overflow of the kernel's queue, which nobody is told of, is taken for granted long before
 * the queue can be full.
 */
import { type FSWatcher, watch } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NativeWatch, WatchListener } from '../native-watch.ts';

/**
 * The kernel keeps 16,384 events by default and drops what comes after, for all watches of a process
 * together. So many heard in one turn of the loop may be the remains of more.
 */
const suspiciousEvents = 1024;

export async function openDirectoryWatch(listener: WatchListener): Promise<NativeWatch> {
  const watchers = new Map<string, FSWatcher>();
  let receivedThisTurn = 0;
  const startOver = (): void => {
    receivedThisTurn = 0;
  };
  const count = (): void => {
    if (receivedThisTurn === 0) setImmediate(startOver);
    receivedThisTurn += 1;
    if (receivedThisTurn === suspiciousEvents) listener.lost('more happened at once than can be told apart');
  };
  const leave = (directory: string): void => {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  };
  return {
    enter: (directory) => {
      leave(directory);
      const prefix = directory.endsWith('/') ? directory : `${directory}/`;
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        count();
        listener.received(name === null ? directory : prefix + name);
        // A directory that itself goes is told of by its own name, as if that were one of its entries.
        if (name !== null && directory.endsWith(`/${name}`)) listener.received(directory);
      });
      watcher.on('error', (error) => listener.lost(error.message));
      watchers.set(directory, watcher);
    },
    leave,
    settled: async () => {
      await nextTurn();
      await nextTurn();
    },
    [Symbol.asyncDispose]: async () => {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
