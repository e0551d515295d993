import { expect, test } from 'vitest';
import { wholeTextOf } from './whole-text.ts';

const cases: readonly [string, string][] = [
  ['an include on the first line', '#include "a.h"\n#include "b.h"\n\nint f();\nint g();\n'],
  ['no empty line at all', '#include "a.h"\nint f();\nint g();'],
  ['an empty line before the includes', '// licence\n\n#include "a.h"\nint f();\n'],
  ['a comment that continues on the next line', '// licence \\\n\n#include "a.h"\n\nint f();\n'],
  ['a block comment with an empty line', '/* one\n\n two */\n#include "a.h"\nint f();\n'],
  ['a definition that continues on an empty line', '#define A \\\n\n#include "a.h"\n\nint f();\n'],
  ['a byte order mark', '\uFEFF#include "a.h"\n\nint f();\n'],
  ['carriage returns', '#include "a.h"\r\n\r\nint f();\r\n'],
  ['code on the first line', 'int f();\n\nint g();\n'],
];

test.each(cases)('every line is found again: %s', (_, text) => {
  const { text: whole, original } = wholeTextOf(text);
  const [lines, shown] = [text.split('\n'), whole.split('\n')];
  const added = shown.findIndex((line) => line.includes('struct '));
  expect(added).toBeGreaterThanOrEqual(0);
  expect(shown.slice(0, added).join('\n')).not.toMatch(/^\s*#/m);
  for (const [line, content] of shown.entries()) {
    if (line === added) continue;
    const start = { line, character: 0 };
    const { line: place } = original({ start, end: start }).start;
    const plain = (found: string | undefined): string | undefined => found?.replace('\uFEFF', '');
    expect(plain(lines[place])).toBe(plain(content));
  }
});

test('declarations keep their lines where an empty line stands before them', () => {
  const { text } = wholeTextOf('#include "a.h"\n\nint f();\n');
  expect(text.split('\n')[2]).toBe('int f();');
});

test.each(['module;\n#include "a.h"\n', '// a\nexport module m;\nint f();\n', ''])(
  'nothing is put before a module declaration, or into an empty file: %j',
  (text) => {
    expect(wholeTextOf(text).text).toBe(text);
  },
);

test.each([
  ['a long line', `//${' '.repeat(400_000)}\\\nint f();\n`],
  ['many empty lines', `${'\n'.repeat(2_000_000)}int f();\n`],
  ['many comments', `${'/* a */ // b\n'.repeat(20_000)}int f();\n`],
])('%s is read in the time of its length', (_, text) => {
  expect(wholeTextOf(text).text).toContain('struct ');
});

test('a module declaration is found after comments', () => {
  const text = '/* a */ // b\n\n/* c\n */ export   module m;\n';
  expect(wholeTextOf(text).text).toBe(text);
});
