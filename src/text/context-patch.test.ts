import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyContextHunks, parseContextPatch } from './context-patch.ts';

const wrap = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

test('a patch over several files', () => {
  const patch = wrap(
    '*** Add File: a.ts',
    '+one',
    '+',
    '*** Update File: b.ts',
    '*** Move to: c.ts',
    '@@ class B',
    ' same',
    '-old',
    '+new',
    '*** End of File',
    '*** Delete File: d.ts',
  );
  expect(parseContextPatch(`apply_patch <<'EOF'\n${patch}EOF\n`)).toEqual([
    { kind: 'add', path: 'a.ts', text: 'one\n\n' },
    {
      kind: 'update',
      path: 'b.ts',
      to: 'c.ts',
      hunks: [{ after: 'class B', oldLines: ['same', 'old'], newLines: ['same', 'new'], isAtEnd: true }],
    },
    { kind: 'delete', path: 'd.ts' },
  ]);
});

test.each(['', 'hello', '*** Begin Patch\n*** End Patch'])('%j is no patch', (text) => {
  expect(() => parseContextPatch(text)).toThrow(/patch/);
});

describe('hunks', () => {
  const text = 'class A\n  x\nclass B\n  x\n  y\n';
  const applied = (...lines: readonly string[]): string | undefined => {
    const [patch] = parseContextPatch(wrap('*** Update File: f', ...lines));
    return patch?.kind === 'update' ? applyContextHunks(text, patch.hunks) : undefined;
  };

  test.each<[string, readonly string[], string | undefined]>([
    ['without a mark', ['-  x', '+  z'], 'class A\n  z\nclass B\n  x\n  y\n'],
    ['after a line', ['@@ class B', '-  x', '+  z'], 'class A\n  x\nclass B\n  z\n  y\n'],
    ['one after the other', ['@@', '-  x', '+1', '@@', '-  x', '+2'], 'class A\n1\nclass B\n2\n  y\n'],
    ['with other white space', ['-x  ', '+  z'], 'class A\n  z\nclass B\n  x\n  y\n'],
    ['that only add', ['@@', '+end'], 'class A\n  x\nclass B\n  x\n  y\nend\n'],
    ['whose text is not there', ['-nothing', '+z'], undefined],
    ['after a line that is not there', ['@@ class C', '-  x'], undefined],
  ])('%s', (_, lines, expected) => {
    expect(applied(...lines)).toBe(expected);
  });
});

test('a hunk that quotes a line and its context yields the text it was made from', () => {
  const line = fc.string({ maxLength: 8 }).filter((each) => !/[\r\n]/.test(each));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(), line, (lines, pick, next) => {
      const at = pick % lines.length;
      const changed = lines.with(at, next);
      const hunk = { oldLines: lines, newLines: changed, isAtEnd: true };
      const before = `${lines.join('\n')}\n`;
      expect(applyContextHunks(before, [hunk])).toBe(`${changed.join('\n')}\n`);
    }),
  );
});
