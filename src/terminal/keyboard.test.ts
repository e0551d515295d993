import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Keyboard } from './keyboard.ts';
import type { Key } from './prompt/key.ts';

class FakeInput extends EventEmitter {
  setRawMode(): void {}
  setEncoding(): void {}
  resume(): void {}
  pause(): void {}
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a paste that stalls for good gives the keys back, and one that goes on is not cut', () => {
  const input = new FakeInput();
  const output = { write: () => true, columns: 80, rows: 24, on: () => {}, off: () => {} };
  using keyboard = new Keyboard(input, output);
  const keys: Key[] = [];
  keyboard.pressed.subscribe((pressed) => keys.push(...pressed));
  input.emit('data', '\u001b[200~first');
  vi.advanceTimersByTime(4000);
  input.emit('data', ' second');
  vi.advanceTimersByTime(4000);
  expect(keys).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(keys).toEqual([{ kind: 'paste', text: 'first second' }]);
  input.emit('data', '\r');
  expect(keys.at(-1)).toEqual({ kind: 'enter' });
});
