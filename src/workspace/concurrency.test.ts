import { expect, test } from 'vitest';
import { mapConcurrently } from './concurrency.ts';

test('answers come in the order of the items, from no more than the limit at a time', async () => {
  let [running, most] = [0, 0];
  const answers = await mapConcurrently([5, 1, 3, 2], 2, async (turns, index) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    running--;
    return turns * 10 + index;
  });
  expect(answers).toEqual([50, 11, 32, 23]);
  expect(most).toBe(2);
});

test('a failure stops what has not begun and waits for what has', async () => {
  const ended: number[] = [];
  const work = mapConcurrently([0, 1, 2, 3], 2, async (item) => {
    if (item === 0) throw new Error('no');
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('no');
  expect(ended).toEqual([1]);
});
