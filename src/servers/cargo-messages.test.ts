import { expect, test } from 'vitest';
import { readCargoMessages } from './cargo-messages.ts';

const span = {
  file_name: 'src/app.rs',
  line_start: 3,
  line_end: 3,
  column_start: 9,
  column_end: 12,
  is_primary: true,
  label: 'expected `i32`, found `&str`',
  text: [{ text: '    /*😀*/"7"' }],
};

function line(message: object): string {
  return JSON.stringify({
    reason: 'compiler-message',
    message: { level: 'error', message: 'mismatched types', ...message },
  });
}

test('a problem is told once, in UTF-16 columns, with its label', () => {
  const output = [
    '   Compiling kit v0.1.0',
    JSON.stringify({ reason: 'compiler-artifact' }),
    line({ code: { code: 'E0308' }, spans: [span] }),
    line({ code: { code: 'E0308' }, spans: [span] }),
    line({ message: 'aborting due to 1 previous error', spans: [] }),
    line({ level: 'note', spans: [span] }),
  ].join('\n');
  expect([...readCargoMessages(output, '/work')]).toEqual([
    [
      'src/app.rs',
      [
        {
          range: { start: { line: 2, character: 9 }, end: { line: 2, character: 12 } },
          severity: 'error',
          message: 'mismatched types\nexpected `i32`, found `&str`',
          source: 'rustc',
          code: 'E0308',
        },
      ],
    ],
  ]);
});

test("a problem inside somebody else's macro stands where the macro is used", () => {
  const foreign = {
    ...span,
    file_name: '/registry/lib.rs',
    expansion: { span: { ...span, line_start: 7, line_end: 7 } },
  };
  const found = readCargoMessages(line({ spans: [foreign] }), '/work').get('src/app.rs');
  expect(found?.[0]?.range.start.line).toBe(6);
});

test('files are named relative to the workspace, however the compiler spells them', () => {
  const absolute = { ...span, file_name: '/work/src/app.rs' };
  expect([...readCargoMessages(line({ level: 'warning', spans: [absolute] }), '/work').keys()]).toEqual([
    'src/app.rs',
  ]);
});
