/**
 * Watches a whole tree at once, as macOS and Windows do it.
 *
 * Invariant: a subscription that has failed says so once, and is not relied on again.
 */
import { ignoredGlobs } from '../ignore-rules.ts';
import type { NativeWatch, WatchListener } from '../native-watch.ts';

export async function openTreeWatch(root: string, listener: WatchListener): Promise<NativeWatch> {
  // Loaded here because the native part costs more than most runs of the program ever need.
  const { subscribe } = await import('@parcel/watcher');
  const subscription = await subscribe(
    root,
    (error, events) => {
      if (error !== null) listener.lost(error.message);
      for (const { path } of events) listener.received(path);
    },
    { ignore: [...ignoredGlobs] },
  );
  return {
    enter: () => {},
    leave: () => {},
    [Symbol.asyncDispose]: () => subscription.unsubscribe(),
  };
}
