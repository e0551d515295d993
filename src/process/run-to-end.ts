/**
 * Waits for a child process until it ends, its timeout is reached or the caller aborts.
 *
 * Invariant: when the promise settles, the child has exited and `end`, if it was called, has finished.
 */
import { Deadline, onAbort } from '../base/deadline.ts';
import type { ChildExit, ChildHandle } from './child-process.ts';

export interface EndOptions {
  readonly timeoutMs: number;
  /** How the child is terminated early; the default kills its process group at once. */
  readonly end?: ((child: ChildHandle) => Promise<unknown>) | undefined;
}

export interface RunEnd {
  readonly exit: ChildExit;
  readonly timedOut: boolean;
}

/** A timeout is a result; the caller's abort is thrown. */
export async function runToEnd(
  child: ChildHandle,
  { timeoutMs, end = (running) => running.terminate(0) }: EndOptions,
  signal: AbortSignal,
): Promise<RunEnd> {
  using deadline = new Deadline(timeoutMs, signal);
  let ending: Promise<unknown> = Promise.resolve();
  const endNow = (): void => {
    ending = end(child);
  };
  const forget = onAbort(deadline.signal, endNow);
  if (deadline.signal.aborted) endNow();
  try {
    const exit = await child.exited;
    await ending;
    if (signal.aborted && !deadline.expired) throw signal.reason;
    return { exit, timedOut: deadline.expired };
  } finally {
    forget();
  }
}
