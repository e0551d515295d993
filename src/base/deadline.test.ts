import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { abortable, Deadline, onAbort } from './deadline.ts';
import { FifoLock } from './fifo-lock.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('all who still listen hear of an abort, in the order they came, once', () => {
  const caller = new AbortController();
  const received: string[] = [];
  const note = (name: string) => onAbort(caller.signal, () => received.push(name));
  note('first');
  const leave = note('second');
  note('third');
  leave();
  caller.abort();
  caller.abort();
  expect(received).toEqual(['first', 'third']);
});

test('who is taken away by one that hears first does not hear', () => {
  const caller = new AbortController();
  const received: string[] = [];
  onAbort(caller.signal, () => leave());
  const leave = onAbort(caller.signal, () => received.push('second'));
  caller.abort();
  expect(received).toEqual([]);
});

test('leaving twice takes nobody else away', () => {
  const caller = new AbortController();
  const received: string[] = [];
  const leave = onAbort(caller.signal, () => received.push('gone'));
  leave();
  onAbort(caller.signal, () => received.push('here'));
  leave();
  caller.abort();
  expect(received).toEqual(['here']);
});

test('however many wait, a signal carries one listener, and none when they are served', async () => {
  const { signal } = new AbortController();
  const lock = new FifoLock();
  const held = await lock.acquire(signal);
  const waiting = Array.from({ length: 30 }, async () => {
    using _deadline = new Deadline(60_000, signal);
    using _turn = await lock.acquire(signal);
    await abortable(Promise.resolve(), signal);
  });
  expect(listenersOf(signal)).toBe(1);
  held[Symbol.dispose]();
  await Promise.all(waiting);
  expect(listenersOf(signal)).toBe(0);
});
