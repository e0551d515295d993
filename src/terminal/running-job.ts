/**
 * The job that is running.
 *
 * Invariant: when it ends, for any reason, `settled` is called once; `over` never rejects.
 */
export interface RunningJob {
  /** Resolves when the job has ended. */
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
  // The caller stores the job before any of it runs.
  await Promise.resolve();
  try {
    await work(signal);
  } catch (thrown) {
    listener.failed(thrown, signal);
  }
  listener.settled();
}
