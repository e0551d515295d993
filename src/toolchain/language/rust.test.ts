import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { libtestFailures, rust } from './rust.ts';

/** `cargo test --no-fail-fast` over a library and an integration test. */
const failedRun = `
running 4 tests
test tests::errs ... FAILED
test tests::holds ... ok
test tests::never_panics - should panic ... FAILED
test tests::doubles ... FAILED

failures:

---- tests::errs stdout ----
Error: "went wrong"

---- tests::never_panics stdout ----
note: test did not panic as expected at src/lib.rs:17:8
---- tests::doubles stdout ----

thread 'tests::doubles' (19615) panicked at src/lib.rs:9:9:
assertion \`left == right\` failed: one doubled
  left: 2
 right: 3
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
   2: core::panicking::assert_failed_inner
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:434:23
   3: core::panicking::assert_failed::<i32, i32>
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:394:5
   4: demo::tests::doubles
             at ./src/lib.rs:9:9
   5: demo::tests::doubles::{{closure}}
             at ./src/lib.rs:8:17
   6: core::ops::function::FnOnce::call_once
             at /root/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/lib/rustlib/src/rust/library/core/src/ops/function.rs:250:5
   7: <fn() -> core::result::Result<(), alloc::string::String> as core::ops::function::FnOnce<()>>::call_once
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/function.rs:250:5
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.


failures:
    tests::doubles
    tests::errs
    tests::never_panics

test result: FAILED. 1 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.13s


running 1 test
test outer_fails ... FAILED

failures:

---- outer_fails stdout ----

thread 'outer_fails' (19625) panicked at tests/outer.rs:2:20:
assertion failed: demo::twice(2) == 5
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:80:14
   2: core::panicking::panic
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/panicking.rs:150:5
   3: outer::outer_fails
             at ./tests/outer.rs:2:20
   4: outer::outer_fails::{{closure}}
             at ./tests/outer.rs:2:17
   5: core::ops::function::FnOnce::call_once
             at /root/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/lib/rustlib/src/rust/library/core/src/ops/function.rs:250:5
   6: <fn() -> core::result::Result<(), alloc::string::String> as core::ops::function::FnOnce<()>>::call_once
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/function.rs:250:5
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.


failures:
    outer_fails

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.08s


running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

`;

const failedBuild = `   Compiling demo v0.1.0 (/tmp/cap/rust)
error[E0308]: mismatched types
  --> src/lib.rs:22:26
   |
22 | pub fn bad() -> String { 5 }
   |                 ------   ^ expected \`String\`, found integer

error[E0425]: cannot find function \`missing\` in this scope
  --> src/lib.rs:23:17
   |
23 | pub fn bad2() { missing(); }
   |                 ^^^^^^^ not found in this scope

For more information about an error, try \`rustc --explain E0308\`.
error: could not compile \`demo\` (lib) due to 2 previous errors
`;

test('every failed test is told with its own words and the place it panicked at', () => {
  expect(libtestFailures(failedRun)).toEqual([
    { file: '', line: 0, testName: 'tests::errs', message: 'Error: "went wrong"' },
    {
      file: 'src/lib.rs',
      line: 17,
      testName: 'tests::never_panics',
      message: 'note: test did not panic as expected at src/lib.rs:17:8',
    },
    {
      file: 'src/lib.rs',
      line: 9,
      testName: 'tests::doubles',
      message: 'assertion `left == right` failed: one doubled\n  left: 2\n right: 3',
    },
    {
      file: 'tests/outer.rs',
      line: 2,
      testName: 'outer_fails',
      message: 'assertion failed: demo::twice(2) == 5',
    },
  ]);
});

test('an error of the compiler is placed where its arrow points; the closing summary is no error', () => {
  expect(rust.parseBuild({ root: '/', stdout: '', stderr: failedBuild, report: undefined })).toEqual([
    { file: 'src/lib.rs', line: 22, column: 26, message: 'mismatched types' },
    { file: 'src/lib.rs', line: 23, column: 17, message: 'cannot find function `missing` in this scope' },
  ]);
});

test('an integration test is a target of its own', async () => {
  const task = { root: '/', target: undefined, filter: 'fails', reportFile: '/r' };
  const steps = await rust.testCommands?.({ ...task, files: ['tests/outer.rs', 'tests/deep/main.rs'] });
  expect(steps?.[0]?.alternatives).toEqual([
    ['cargo', 'test', '--no-fail-fast', '--test=outer', '--test=deep', 'fails'],
  ]);
});

test('a path means the package it lies in', async () => {
  await using scratch = await ScratchWorkspace.create({
    'Cargo.toml': '',
    'crates/a/Cargo.toml': '',
    'crates/a/src/x.rs': '',
  });
  const { root } = scratch.workspace;
  const build = async (path: string, kind: 'file' | 'directory') =>
    (await rust.buildCommands?.({ root, target: { path, kind } }))?.[0]?.alternatives[0];
  expect(await build('crates/a/src', 'directory')).toEqual([
    'cargo',
    'build',
    '--manifest-path',
    './crates/a/Cargo.toml',
  ]);
  expect(await build('crates/a/src/x.rs', 'file')).toEqual([
    'cargo',
    'build',
    '--manifest-path',
    './crates/a/Cargo.toml',
  ]);
  expect(await build('crates', 'directory')).toEqual(['cargo', 'build']);
});
