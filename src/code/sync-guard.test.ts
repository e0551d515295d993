import { expect, test } from 'vitest';
import { LineIndex } from '../text/position.ts';
import { type CodeSymbol, symbolKindNames } from './symbol.ts';
import { isSyncGuarded } from './sync-guard.ts';

const whole = (text: string, kind: string, name: string): CodeSymbol => {
  const range = { start: { line: 0, character: 0 }, end: new LineIndex(text).positionAt(text.length) };
  return { name, kind: symbolKindNames.indexOf(kind) + 1, range, selectionRange: range, children: [] };
};

test.each([
  ['type Counter struct { mu sync.Mutex }', true],
  ['self._lock = threading.Lock()', true],
  ['private final ReentrantLock guard;', true],
  ['n: AtomicU32', true],
  ['std::mutex m;', true],
  ['isLocked = true; blocks += 1; clock(); async.run()', false],
  ['atomically()', false],
])('%j: %s', (text, expected) => {
  const symbol = whole(text, 'Class', 'K');
  expect(isSyncGuarded(text, { symbol, ancestors: [] }, [symbol])).toBe(expected);
});

test('a Go method is guarded by the type it is written beside', () => {
  const text = 'type Counter struct { mu sync.Mutex }\nfunc (c *Counter) Add() {}';
  const type = { ...whole(text, 'Struct', 'Counter'), range: lines(0, 0) };
  const method = { ...whole(text, 'Method', '(*Counter).Add'), range: lines(1, 1) };
  expect(isSyncGuarded(text, { symbol: method, ancestors: [] }, [type, method])).toBe(true);
  expect(isSyncGuarded(text, { symbol: method, ancestors: [] }, [method])).toBe(false);
});

function lines(first: number, last: number): CodeSymbol['range'] {
  return { start: { line: first, character: 0 }, end: { line: last, character: 0 } };
}
