/**
 * Hearing of an abort. Any number may wait on one signal, each with a listener that it takes away again; a signal
 * would take more than ten of those for a leak.
 *
 * Invariant: a signal carries one listener of ours as long as anybody waits, and none after.
 */

/** Calls `heard` when the signal aborts, until the answer is called. One that has aborted already stays silent. */
export function onAbort(signal: AbortSignal, received: () => void): () => void {
  const crowd = crowds.get(signal) ?? gather(signal);
  // Of its own for each call, so that one function may listen twice.
  const listener = (): void => received();
  crowd.listeners.add(listener);
  return () => {
    if (crowd.listeners.delete(listener) && crowd.listeners.size === 0) crowd.disperse();
  };
}

interface Crowd {
  readonly listeners: Set<() => void>;
  disperse(): void;
}

const crowds = new WeakMap<AbortSignal, Crowd>();

function gather(signal: AbortSignal): Crowd {
  const listeners = new Set<() => void>();
  const tell = (): void => {
    crowds.delete(signal);
    for (const listener of listeners) listener();
  };
  const disperse = (): void => {
    crowds.delete(signal);
    signal.removeEventListener('abort', tell);
  };
  const crowd = { listeners, disperse };
  crowds.set(signal, crowd);
  signal.addEventListener('abort', tell, { once: true });
  return crowd;
}
