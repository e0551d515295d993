import { expect, test } from 'vitest';
import { concurrencyEntry } from './concurrency-entry.ts';

test.each<[string, readonly string[], string | undefined]>([
  ['on its own line', ['setTimeout(() => call(), 1);'], 'setTimeout('],
  ['five lines above', ['go func() {', '', '', '', '', 'call()'], 'go func('],
  ['six lines above', ['go func() {', '', '', '', '', '', 'call()'], undefined],
  ['nearest of two', ['new Worker(x)', 'setInterval(() => {', 'call()'], 'setInterval('],
  ['nowhere', ['call()'], undefined],
])('a call is concurrent by what starts %s', (_, lines, expected) => {
  expect(concurrencyEntry(lines, lines.length - 1)).toBe(expected);
});
