/**
 * Watches directory by directory, with inotify on Linux.
 *
 * The kernel queues an event before the call that caused it returns, and the event loop reads the whole queue on
 * every poll. Two turns of the loop include one full poll, so after them no event is outstanding.
 *
 * Invariant: an overflow of the kernel's queue, which is not reported, is assumed long before the queue can be full.
 */
import { type FSWatcher, watch } from 'node:fs';
import type { NativeWatch, WatchListener } from '../native-watch.ts';

/**
 * By default, the kernel queues 16,384 events for all watches of a process and drops the rest. This many in one turn
 * of the loop may be the remainder of more.
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
    if (receivedThisTurn === suspiciousEvents) listener.lost('too many events at once');
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
        // The deletion of a watched directory is reported with its own name, as if it were one of its entries.
        if (name !== null && directory.endsWith(`/${name}`)) listener.received(directory);
      });
      watcher.on('error', (error) => listener.lost(error.message));
      watchers.set(directory, watcher);
    },
    leave,
    settled: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
    [Symbol.asyncDispose]: async () => {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
