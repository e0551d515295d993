/** Waiting for something to happen in a directory that processes meet in. */
import { type FSWatcher, watch } from 'node:fs';
import { onAbort } from '../base/abort-listener.ts';
import { errnoOf } from '../base/errno.ts';

/** No event tells of the death of a process that is not our child, so whoever waits looks again this often. */
const lookAgainMs = 200;

/** Resolves when something happens in the directory, and at the latest when it is time to look again. */
export function changeIn(directory: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let watcher: FSWatcher | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      watcher?.close();
      stopListening();
      settle();
    };
    const done = (): void => end(resolve);
    const timer = setTimeout(done, lookAgainMs);
    const stopListening = onAbort(signal, () => end(() => reject(signal.reason)));
    try {
      watcher = watch(directory, done).on('error', done);
    } catch (thrown) {
      // Without watching, for want of watches or of the directory, the timer alone wakes us.
      if (errnoOf(thrown) === undefined) throw thrown;
    }
  });
}
