/**
 * Decides whether and when a request is retried.
 *
 * Invariant: a delay requested by the provider is never shortened.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { abortable } from '../base/deadline.ts';
import type { ModelFailure } from './model-failure.ts';

export interface RetryPolicy {
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** The delay before the attempt after the given one; undefined if there should be none. */
  delayMs(attempt: number, failure: ModelFailure): number | undefined;
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
}

const firstDelayMs = 500;
const longestDelayMs = 8000;
/** If the provider asks for a longer delay than this, fail at once. */
const longestPatienceMs = 60_000;

export const politeRetries: RetryPolicy = {
  attempts: 4,

  delayMs(attempt, { recovery, retryAfterMs }) {
    if (recovery === 'never') return undefined;
    if (retryAfterMs !== undefined && retryAfterMs > longestPatienceMs) return undefined;
    const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
    // Half of the delay is random, so that clients refused together do not retry together.
    const backoff = ceiling / 2 + (Math.random() * ceiling) / 2;
    return retryAfterMs === undefined ? backoff : retryAfterMs + backoff / 4;
  },

  async wait(delayMs, signal) {
    await abortable(delay(delayMs, undefined, { signal }), signal);
  },
};

/** The delay given in the headers of a response. */
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
