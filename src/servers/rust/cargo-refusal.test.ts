import { expect, test } from 'vitest';
import { cargoRefusal } from './cargo-refusal.ts';

function refusalIn(stderr: string, { stdout = '', code = 101 } = {}): string | undefined {
  const refusal = cargoRefusal({ code, stdout, stderr }, { root: '/work', project: '' });
  if (!refusal) return undefined;
  const { places, diagnostic } = refusal;
  const { line, character } = diagnostic.range.start;
  return `${places[0]}:${line + 1}:${character + 1} ${diagnostic.message}`;
}

test.each([
  [
    'a manifest that is no TOML',
    'error: key with no value, expected `=`\n  --> Cargo.toml:10:8\n   |\n10 | edition\n   |        ^\n',
    'Cargo.toml:10:8 key with no value, expected `=`',
  ],
  [
    'a manifest that says something impossible',
    'error: failed to parse manifest at `/work/Cargo.toml`\n\nCaused by:\n  feature `a` includes `b` which is neither a dependency nor another feature\n',
    'Cargo.toml:1:1 failed to parse manifest at `Cargo.toml`; feature `a` includes `b` which is neither a dependency nor another feature',
  ],
  [
    'a lock file',
    'error: failed to parse lock file at: /work/Cargo.lock\n\nCaused by:\n  TOML parse error at line 15, column 9\n     |\n  15 | garbage [[\n     |         ^\n  expected `=`\n',
    'Cargo.lock:15:9 failed to parse lock file at: Cargo.lock; TOML parse error at line 15, column 9; expected `=`',
  ],
  [
    'a dependency of a member',
    'error: failed to load manifest for workspace member `/work/member`\nreferenced by workspace at `/work/Cargo.toml`\n\nCaused by:\n  failed to read `/work/gone/Cargo.toml`\n',
    'member/Cargo.toml:1:1 failed to load manifest for workspace member `member`; referenced by workspace at `Cargo.toml`; failed to read `gone/Cargo.toml`',
  ],
  [
    'a build script that panics',
    "error: failed to run custom build command for `kit v0.1.0 (/work/kit)`\n\nCaused by:\n  process didn't exit successfully: `x` (exit status: 101)\n  --- stderr\n\n  thread 'main' (311) panicked at build.rs:1:12:\n  no\n",
    "kit/build.rs:1:1 failed to run custom build command for `kit v0.1.0 (kit)`: thread 'main' panicked at build.rs:1:12: no",
  ],
])('%s is named where it can be changed', (_, stderr, expected) => {
  expect(refusalIn(stderr)).toBe(expected);
});

test.each([
  [
    'a package that may only be missing here',
    "error: no matching package named `x` found\nAs a reminder, you're using offline mode\n",
    {},
  ],
  [
    'errors of the compiler',
    'error: could not compile `kit`\n',
    { stdout: '{"reason":"build-finished","success":false}' },
  ],
  ['a run that ended well', 'warning: unused\n', { code: 0 }],
])('%s is no refusal', (_, stderr, run) => {
  expect(refusalIn(stderr, run)).toBeUndefined();
});
