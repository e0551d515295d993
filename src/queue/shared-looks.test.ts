import { expect, test } from 'vitest';
import { SharedLooks } from './shared-looks.ts';

test('callers share a look, and none gets one that began before it asked', async () => {
  const looks = new SharedLooks<number>();
  const ends: (() => void)[] = [];
  let count = 0;
  const look = () => {
    const number = ++count;
    return new Promise<number>((resolve) => ends.push(() => resolve(number)));
  };
  const first = looks.next('a', look);
  await Promise.resolve();
  const others = [looks.next('a', look), looks.next('a', look)];
  await Promise.resolve();
  expect(count).toBe(1);
  ends[0]?.();
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  ends[1]?.();
  expect(await Promise.all(others)).toEqual([2, 2]);
});

test('a failed look fails those that share it, and the next one begins anew', async () => {
  const looks = new SharedLooks<number>();
  await expect(looks.next('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await looks.next('a', async () => 2)).toBe(2);
});
