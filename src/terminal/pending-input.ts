/** Keys that were pressed already, and wait in the terminal until the event loop reads them. */

/** Resolves when everything is read that was sent so far: between two immediates the event loop does that. */
export function pendingInputRead(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
}
