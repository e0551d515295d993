/**
 * Runs `work` over `items`, at most `limit` at a time, and returns the results in the order of the items.
 *
 * Invariant: after the first failure no further work is started, and started work has ended before the failure is
 * thrown, so the caller may clean up at once.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array<R>(items.length);
  // The workers share one iterator, so every item goes to exactly one of them.
  const remaining = items.entries();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of remaining) {
      try {
        results[index] = await work(item, index);
      } catch (thrown) {
        failures.push(thrown);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}
