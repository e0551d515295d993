/**
 * The one thing that is under way.
 *
 * Invariant: when it is over, however it ended, `settled` is called once; it never rejects.
 */
export interface RunningJob {
  /** Resolves when it is over. */
  readonly over: Promise<void>;
  interrupt(): void;
}

export interface RunningJobListener {
  failed(thrown: unknown, signal: AbortSignal): void;
  settled(): void;
}

export function undertake(
  work: (signal: AbortSignal) => Promise<void>,
  listener: RunningJobListener,
): RunningJob {
  const controller = new AbortController();
  return {
    over: carryOut(work, listener, controller.signal),
    interrupt: () => controller.abort(new DOMException('interrupted by the user', 'AbortError')),
  };
}

async function carryOut(
  work: (signal: AbortSignal) => Promise<void>,
  listener: RunningJobListener,
  signal: AbortSignal,
): Promise<void> {
  // Whoever began it notes that it is under way before any of it is done.
  await Promise.resolve();
  try {
    await work(signal);
  } catch (thrown) {
    listener.failed(thrown, signal);
  }
  listener.settled();
}
