/**
 * When a request is sent again, and after how long.
 *
 * Invariant: a provider that names a time is never asked earlier.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { abortable } from '../base/deadline.ts';
import type { ModelFailure } from './model-failure.ts';

export interface RetryPolicy {
  /** How often a request is sent at most. */
  readonly attempts: number;
  /** The delay before the attempt after the given one; undefined where it should not be made. */
  delayMs(attempt: number, failure: ModelFailure): number | undefined;
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
}

const firstDelayMs = 500;
const longestDelayMs = 8000;
/** Whoever is told to come back later than this is better told so than kept waiting. */
const longestPatienceMs = 60_000;

export const politeRetries: RetryPolicy = {
  attempts: 4,

  delayMs(attempt, { recovery, retryAfterMs }) {
    if (recovery === 'never') return undefined;
    if (retryAfterMs !== undefined && retryAfterMs > longestPatienceMs) return undefined;
    const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
    // Half of it at random, so that many who were refused together do not come back together.
    const backoff = ceiling / 2 + (Math.random() * ceiling) / 2;
    return retryAfterMs === undefined ? backoff : retryAfterMs + backoff / 4;
  },

  async wait(delayMs, signal) {
    await abortable(delay(delayMs, undefined, { signal }), signal);
  },
};

/** What the headers of a refusal say about when to come back. */
export function retryAfterMs(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const given = headers.get('retry-after');
  if (given === null || given.trim() === '') return undefined;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
