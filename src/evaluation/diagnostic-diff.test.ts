import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Diagnostic, Severity } from '../lsp/diagnostic.ts';
import { carryThrough, diffDiagnostics } from './diagnostic-comparison.ts';

function at(line: number, message: string, extra: Partial<Diagnostic> = {}): Diagnostic {
  return {
    range: { start: { line, character: 0 }, end: { line, character: 3 } },
    severity: 'error',
    message,
    ...extra,
  };
}

const stay = carryThrough('', '');

const cases: readonly [string, readonly Diagnostic[], readonly Diagnostic[], string[], string[]][] = [
  ['a new error is introduced', [], [at(0, 'a')], ['a'], []],
  ['an error that is gone is resolved', [at(0, 'a')], [], [], ['a']],
  ['the same error is neither', [at(0, 'a')], [at(0, 'a')], [], []],
  [
    'a fix that the index has found since makes no other error',
    [at(0, 'a')],
    [at(0, 'a (fix available)')],
    [],
    [],
  ],
  ['counts matter', [at(0, 'a')], [at(0, 'a'), at(0, 'a')], ['a'], []],
  ['another message is another error', [at(0, 'a')], [at(0, 'b')], ['b'], ['a']],
  ['another severity is another error', [at(0, 'a')], [at(0, 'a', { severity: 'warning' })], ['a'], ['a']],
  [
    'hints and information never count',
    [at(0, 'a', { severity: 'hint' })],
    [at(1, 'b', { severity: 'info' })],
    [],
    [],
  ],
  [
    'a source is compared when both name one',
    [at(0, 'a', { source: 'x' })],
    [at(0, 'a', { source: 'y' })],
    ['a'],
    ['a'],
  ],
  ['a source that one side leaves out is not', [at(0, 'a', { source: 'x' })], [at(0, 'a')], [], []],
];

test.each(cases)('%s', (_, before, after, introduced, resolved) => {
  const diff = diffDiagnostics(before, after, stay);
  expect(diff.introduced.map(({ message }) => message)).toEqual(introduced);
  expect(diff.resolved.map(({ message }) => message)).toEqual(resolved);
});

describe('carried through edits', () => {
  const moves: readonly [string, string, string, number, number | undefined][] = [
    ['lines inserted above', 'one\ntwo\n', 'new\nnew\none\ntwo\n', 1, 3],
    ['lines removed above', 'gone\none\ntwo\n', 'one\ntwo\n', 2, 1],
    ['lines inserted below', 'one\ntwo\n', 'one\ntwo\nnew\n', 0, 0],
    ['edits above and below', 'a\none\nb\n', 'A\nx\none\nB\n', 1, 2],
    ['an edit of the line itself', 'one\ntwo\n', 'one\nTWO\n', 1, undefined],
  ];

  test.each(moves)('%s', (_, before, after, line, expected) => {
    const carried = carryThrough(before, after)(at(line, 'x').range);
    expect(carried?.start.line).toBe(expected);
  });

  test('an end past the last line does not matter', () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    expect(carryThrough('one', '\none')(range)?.start.line).toBe(1);
  });
});

const severities: readonly Severity[] = ['error', 'warning', 'info', 'hint'];
const diagnostics = fc.array(
  fc
    .record({ line: fc.nat(3), message: fc.constantFrom('a', 'b'), severity: fc.constantFrom(...severities) })
    .map(({ line, message, severity }) => at(line, message, { severity })),
  { maxLength: 8 },
);

test('what came less what went is the difference in numbers', () => {
  const counted = (list: readonly Diagnostic[]) =>
    list.filter(({ severity }) => severity === 'error' || severity === 'warning').length;
  fc.assert(
    fc.property(diagnostics, diagnostics, (before, after) => {
      const { introduced, resolved } = diffDiagnostics(before, after, stay);
      expect(introduced.length - resolved.length).toBe(counted(after) - counted(before));
    }),
  );
});

test('nothing comes and goes between equal lists, and the way back is the mirror image', () => {
  fc.assert(
    fc.property(diagnostics, diagnostics, (before, after) => {
      expect(diffDiagnostics(before, [...before].reverse(), stay)).toEqual({ introduced: [], resolved: [] });
      const there = diffDiagnostics(before, after, stay);
      const back = diffDiagnostics(after, before, stay);
      const key = ({ range, message, severity }: Diagnostic) => `${range.start.line} ${message} ${severity}`;
      expect(there.introduced.map(key).sort()).toEqual(back.resolved.map(key).sort());
    }),
  );
});
