/** Keys that were pressed but not yet read by the event loop. */

/** Resolves when all input sent so far has been read, which happens between two immediates. */
export function pendingInputRead(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
