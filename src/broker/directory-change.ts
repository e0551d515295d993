/** Waiting for something to happen in the directory of a broker. */
import { type FSWatcher, watch } from 'node:fs';
import { errnoOf } from '../workspace/errno.ts';

/** No event tells of the death of a process that is not our child, so whoever waits looks again this often. */
const lookAgainMs = 500;

/** Resolves when something happens in the directory, and at the latest when it is time to look again. */
export function changeIn(directory: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let watcher: FSWatcher | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      watcher?.close();
      signal.removeEventListener('abort', abort);
      settle();
    };
    const done = (): void => end(resolve);
    const abort = (): void => end(() => reject(signal.reason));
    const timer = setTimeout(done, lookAgainMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      watcher = watch(directory, done).on('error', done);
    } catch (thrown) {
      // Without watching, for want of watches or of the directory, the timer alone wakes us.
      if (errnoOf(thrown) === undefined) throw thrown;
    }
  });
}
