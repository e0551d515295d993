/**
 * Watches a whole tree at once, as macOS and Windows support it.
 *
 * Invariant: a failed subscription is reported once, and not used again.
 */
import { ignoredGlobs } from '../ignore-rules.ts';
import type { NativeWatch, WatchListener } from '../native-watch.ts';

export async function openTreeWatch(root: string, listener: WatchListener): Promise<NativeWatch> {
  // Loaded here because the native part is expensive to load and most runs do not need it.
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
