import { expect, test } from 'vitest';
import { readCargoRun } from './cargo-messages.ts';

const workspace = { root: '/work', directory: '/work' };

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

function problemsIn(stdout: string): ReturnType<typeof readCargoRun>['problems'] {
  return readCargoRun({ code: 101, stdout, stderr: '' }, workspace).problems;
}

function line(message: object): string {
  return JSON.stringify({
    reason: 'compiler-message',
    message: { level: 'error', message: 'mismatched types', ...message },
  });
}

test('a problem is reported once, in UTF-16 columns, with its label', () => {
  const output = [
    '   Compiling kit v0.1.0',
    JSON.stringify({ reason: 'compiler-artifact' }),
    line({ code: { code: 'E0308' }, spans: [span] }),
    line({ code: { code: 'E0308' }, spans: [span] }),
    line({ message: 'aborting due to 1 previous error', spans: [] }),
    line({ level: 'note', spans: [span] }),
  ].join('\n');
  expect([...problemsIn(output)]).toEqual([
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

test('a problem inside a macro of a dependency stands where the macro is used', () => {
  const foreign = {
    ...span,
    file_name: '/registry/lib.rs',
    expansion: { span: { ...span, line_start: 7, line_end: 7 } },
  };
  const found = problemsIn(line({ spans: [foreign] })).get('src/app.rs');
  expect(found?.[0]?.range.start.line).toBe(6);
});

test('files are named relative to the workspace, however the compiler spells them', () => {
  const absolute = { ...span, file_name: '/work/src/app.rs' };
  expect([...problemsIn(line({ level: 'warning', spans: [absolute] })).keys()]).toEqual(['src/app.rs']);
});

test('a line that is no record is passed over', () => {
  expect(problemsIn(`{ not json\n${line({ spans: [span] })}`).size).toBe(1);
});

const error = line({ spans: [span] });
const warning = line({ level: 'warning', spans: [span] });
const couldNot = 'error: could not compile `kit` (lib) due to 1 previous error';

test.each<[string, { code: number | undefined; stdout: string; stderr: string }, string | undefined]>([
  ['a run without problems', { code: 0, stdout: '', stderr: '' }, undefined],
  ['warnings', { code: 0, stdout: warning, stderr: 'warning: `kit` generated 1 warning' }, undefined],
  ['errors that were reported', { code: 101, stdout: error, stderr: couldNot }, undefined],
  [
    'a build script that failed beside a warning',
    { code: 101, stdout: warning, stderr: 'error: failed to run custom build command for `kit v0.1.0`\n' },
    'failed to run custom build command for `kit v0.1.0`',
  ],
  [
    'a build script that failed beside errors of another package',
    { code: 101, stdout: error, stderr: `${couldNot}\nerror: failed to run custom build command for \`b\`` },
    'failed to run custom build command for `b`',
  ],
  [
    'a linker that failed',
    { code: 101, stdout: line({ message: 'linking with `cc` failed', spans: [] }), stderr: couldNot },
    'linking with `cc` failed',
  ],
  [
    'errors outside of the workspace',
    { code: 101, stdout: '', stderr: 'error: could not compile `other` (lib) due to 1 previous error' },
    'could not compile `other` (lib) due to 1 previous error',
  ],
  [
    'a package that is not downloaded',
    {
      code: 101,
      stdout: '',
      stderr:
        "error: no matching package named `serde` found\nlocation searched: crates.io index\nAs a reminder, you're using offline mode (--offline)",
    },
    'dependencies are not downloaded (serde); run `cargo fetch` in the workspace',
  ],
  [
    'a package that is known and not downloaded',
    {
      code: 101,
      stdout: '',
      stderr:
        'error: failed to download `itoa v1.0.1`\n\nCaused by:\n  attempting to make an HTTP request, but --offline was specified',
    },
    'dependencies are not downloaded (itoa v1.0.1); run `cargo fetch` in the workspace',
  ],
  ['a run that a signal ended', { code: undefined, stdout: '', stderr: '' }, 'it ended with a signal'],
])('%s: whether everything was checked', (_, run, failure) => {
  expect(readCargoRun(run, workspace).failure).toBe(failure);
});
