import { expect, test } from 'vitest';
import { BadKey, Overloaded, ProviderFailed } from './model-failure.ts';
import { politeRetries, retryAfterMs } from './retry-policy.ts';

test('delays grow, stay within their limit and are not all the same', () => {
  const failure = new ProviderFailed('oh');
  for (const [attempt, ceiling] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
    const delays = Array.from(
      { length: 50 },
      () => politeRetries.delayMs(attempt + 1, failure) ?? Number.NaN,
    );
    for (const delay of delays) {
      expect(delay).toBeGreaterThanOrEqual(ceiling / 2);
      expect(delay).toBeLessThanOrEqual(ceiling);
    }
    expect(new Set(delays).size).toBeGreaterThan(1);
  }
});

test('what cannot succeed later is not tried again', () => {
  expect(politeRetries.delayMs(1, new BadKey('no', undefined))).toBeUndefined();
});

test('a time named by the provider is kept, and one that is too far away is not waited for', () => {
  expect(politeRetries.delayMs(1, new Overloaded('busy', 3000))).toBeGreaterThanOrEqual(3000);
  expect(politeRetries.delayMs(1, new Overloaded('busy', 61_000))).toBeUndefined();
});

test('waiting ends with the signal', async () => {
  const controller = new AbortController();
  const waiting = politeRetries.wait(600_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after-ms': '150', 'retry-after': '1' }, 150],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('headers %j mean %s', (headers, expected) => {
  expect(retryAfterMs(new Headers(Object.entries(headers)))).toBe(expected);
});
