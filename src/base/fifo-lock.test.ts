import { expect, test } from 'vitest';
import { Deadline } from './deadline.ts';
import { FifoLock } from './fifo-lock.ts';

const calm = new AbortController().signal;

test('waiters are served in the order they came, one at a time', async () => {
  const lock = new FifoLock();
  const order: number[] = [];
  let holders = 0;
  await Promise.all(
    [0, 1, 2, 3].map(async (place) => {
      using _held = await lock.acquire(calm);
      holders += 1;
      expect(holders).toBe(1);
      order.push(place);
      await Promise.resolve();
      holders -= 1;
    }),
  );
  expect(order).toEqual([0, 1, 2, 3]);
  expect(lock.isHeld).toBe(false);
});

test('a waiter that gives up leaves the queue, and the next one is served', async () => {
  const lock = new FifoLock();
  const held = await lock.acquire(calm);
  const impatient = new AbortController();
  const abandoned = lock.acquire(impatient.signal);
  const patient = lock.acquire(calm);
  impatient.abort(new Error('enough'));
  await expect(abandoned).rejects.toThrow('enough');
  expect(lock.waiting).toBe(1);
  held[Symbol.dispose]();
  held[Symbol.dispose]();
  (await patient)[Symbol.dispose]();
  expect(lock.isHeld).toBe(false);
});

test('a deadline ends by its clock or by its caller, and knows which', async () => {
  using expiring = new Deadline(1, calm);
  await new Promise((resolve) => expiring.signal.addEventListener('abort', resolve));
  expect(expiring.expired).toBe(true);
  const caller = new AbortController();
  using cancelled = new Deadline(60_000, caller.signal);
  caller.abort(new Error('by the caller'));
  expect([cancelled.signal.aborted, cancelled.expired]).toEqual([true, false]);
  expect(cancelled.signal.reason).toMatchObject({ message: 'by the caller' });
});
