/**
 * Waits until a claim holds, asking again and again.
 *
 * The limit ends a test that waits for what never comes; it says nothing of how fast anything must be, so that a
 * machine under load takes as long as it takes.
 */
import { vi } from 'vitest';

export function until<T>(claim: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(claim, { timeout: 60_000, interval: 20 });
}
