/** Builds and tests run by the real toolchains of this machine, in process; once each over the wire. */
import { symlink } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { ToolWorld } from '../support/tool-world.ts';

const typescriptFiles = {
  'package.json': JSON.stringify({ name: 'demo', type: 'module', scripts: { test: 'node --test' } }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, types: [] },
    include: ['src'],
  }),
  'src/math.ts': 'export const twice = (n: number): number => n * 2;\n',
  'src/app.ts': "import { twice } from './math';\n\nexport const text: string = twice(1);\n",
  'src/math.test.mjs':
    "import assert from 'node:assert';\nimport test from 'node:test';\n\ntest('doubles', () => {\n  assert.equal(1 * 2, 3);\n});\ntest('holds', () => {});\n",
};

const goFiles = {
  'go.mod': 'module example.com/m\n\ngo 1.22\n',
  'main.go': 'package main\n\nimport "example.com/m/pkg"\n\nfunc main() { println(pkg.Twice(1)) }\n',
  'pkg/twice.go': 'package pkg\n\nfunc Twice(n int) int { return n * 2 }\n',
  'pkg/twice_test.go':
    'package pkg\n\nimport "testing"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(1) != 3 {\n\t\tt.Errorf("got %d", Twice(1))\n\t}\n}\n\nfunc TestFine(t *testing.T) {}\n',
};

const location = (file: string, line: number) => ({
  uri: pathToFileURL(file).href,
  range: { start: { line: line - 1, character: 0 }, end: { line: line - 1, character: 0 } },
});

describe('on typescript', () => {
  test('the compiler that comes along finds the error, and a mended file builds', async () => {
    await using world = await ToolWorld.open(typescriptFiles, { trust: 'trusted' });
    const broken = await world.call('run_build', { workspace_dir: world.world.root });
    expect(broken.json).toMatchObject({
      success: false,
      errors: [
        {
          file: world.at('src/app.ts'),
          line: 3,
          column: 14,
          message: "TS2322: Type 'number' is not assignable to type 'string'.",
        },
      ],
      raw: expect.stringContaining('src/app.ts(3,14)'),
      raw_truncated: false,
      command: 'tsc --noEmit --pretty false',
    });
    expect(broken.hint).toBe('fix the 1 error(s), then call run_build again.');
    await world.world.write('src/app.ts', 'export {};\n');
    const repaired = await world.call('run_build', { workspace_root: world.world.root });
    expect(repaired).toMatchObject({ json: { success: true, errors: [], raw: '' }, hint: 'run_tests.' });
  });

  test('a failing test is placed, and a filter leaves it out', async () => {
    await using world = await ToolWorld.open(typescriptFiles, { trust: 'trusted' });
    const file = world.at('src/math.test.mjs');
    const failed = await world.call('run_tests', { workspace_dir: world.world.root });
    expect(failed.json).toMatchObject({
      passed: false,
      failures: [{ file, line: 5, test_name: 'doubles', location: location(file, 5) }],
    });
    const part = { workspace_dir: world.world.root, test_filter: 'holds', test_files: ['src/math.test.mjs'] };
    expect((await world.call('run_tests', part)).json).toMatchObject({
      passed: true,
      tests_run: 1,
      failures: [],
    });
    const none = await world.call('run_tests', { ...part, test_filter: 'no such test' });
    expect(none.json).toMatchObject({ passed: false, tests_run: 0, failures: [] });
    expect(none.hint).toMatch(/^no test ran/);
  });

  test('vitest of the workspace is asked for its report', async () => {
    await using world = await ToolWorld.open(
      {
        ...typescriptFiles,
        'package.json': JSON.stringify({ name: 'demo', scripts: { test: 'vitest' } }),
        'src/math.test.ts':
          "import { expect, test } from 'vitest';\nimport { twice } from './math';\n\ntest('doubles', () => {\n  expect(twice(1)).toBe(3);\n});\n",
      },
      { trust: 'trusted' },
    );
    await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), world.at('node_modules'));
    const { json } = await world.call('run_tests', {
      workspace_dir: world.world.root,
      path: 'src/math.test.ts',
    });
    const file = world.at('src/math.test.ts');
    expect(json).toMatchObject({
      passed: false,
      failures: [{ file, line: 5, test_name: 'doubles', location: location(file, 5) }],
      command: expect.stringContaining('--outputFile.json=<report>'),
    });
  });
});

describe.skipIf(!isOnPath('go'))('on go', () => {
  test('a failure is resolved against the directory of its package, and a build leaves nothing behind', async () => {
    await using world = await ToolWorld.open(goFiles, { trust: 'trusted' });
    const { root } = world.world;
    const file = world.at('pkg/twice_test.go');
    const { json } = await world.call('run_tests', { workspace_dir: root });
    expect(json).toMatchObject({
      passed: false,
      failures: [
        {
          file,
          line: 7,
          test_name: 'TestTwice',
          message: 'twice_test.go:7: got 2',
          location: location(file, 7),
        },
      ],
      raw: expect.stringMatching(/^=== RUN|^\?/),
    });
    const fine = await world.call('run_tests', { workspace_dir: root, path: 'pkg', test_filter: 'Fine' });
    expect(fine.json).toMatchObject({ passed: true, command: 'go test -json -run=Fine ./pkg/...' });
    const none = await world.call('run_tests', { workspace_dir: root, test_filter: 'NoSuchTest' });
    expect(none).toMatchObject({
      json: { passed: false, tests_run: 0 },
      hint: expect.stringMatching(/^no test ran/),
    });
    const built = await world.call('run_build', { workspace_dir: root });
    expect(built.json).toMatchObject({ success: true, errors: [] });
    await expect(world.world.read('m')).rejects.toThrow('ENOENT');
  });

  test('an error of the build is told with its place', async () => {
    await using world = await ToolWorld.open(
      {
        ...goFiles,
        'pkg/bad.go': 'package pkg\n\nfunc bad() string { return missing }\n',
      },
      { trust: 'trusted' },
    );
    const { json } = await world.call('run_build', { workspace_dir: world.at('pkg') });
    expect(json).toMatchObject({
      success: false,
      errors: [{ file: world.at('pkg/bad.go'), line: 3, column: 28, message: 'undefined: missing' }],
    });
    const tests = await world.call('run_tests', { workspace_dir: world.world.root });
    expect(tests.json).toMatchObject({
      passed: false,
      failures: expect.arrayContaining([
        expect.objectContaining({ test_name: 'example.com/m/pkg', line: 3 }),
      ]),
    });
  });
});

describe.skipIf(!isOnPath('cargo'))('on rust', () => {
  test('a panic is placed, and tests that do not compile fail by what the compiler says', async () => {
    await using world = await ToolWorld.open(
      {
        'Cargo.toml': '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
        'src/lib.rs':
          'pub fn twice(n: i32) -> i32 {\n    n * 2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        assert_eq!(super::twice(1), 3);\n    }\n}\n',
      },
      { trust: 'trusted' },
    );
    const { root } = world.world;
    const file = world.at('src/lib.rs');
    expect((await world.call('run_tests', { workspace_dir: root })).json).toMatchObject({
      passed: false,
      failures: [{ file, line: 9, test_name: 'tests::doubles', location: location(file, 9) }],
    });
    await world.world.write('src/lib.rs', 'pub fn twice(n: i32) -> String {\n    n\n}\n');
    expect((await world.call('run_tests', { workspace_dir: root })).json).toMatchObject({
      passed: false,
      failures: [{ file, line: 2, test_name: 'build', message: 'mismatched types' }],
    });
    expect((await world.call('run_build', { workspace_dir: root })).json).toMatchObject({
      success: false,
      errors: [{ file, line: 2, column: 5, message: 'mismatched types' }],
    });
  });
});

test.skipIf(!isOnPath('pytest'))('on python pytest reports, and a checker comes along', async () => {
  await using world = await ToolWorld.open(
    {
      'pyproject.toml': '[project]\nname = "demo"\nversion = "0"\n',
      'core.py': 'def twice(n: int) -> int:\n    return str(n)\n',
      'test_core.py':
        'from core import twice\n\n\ndef test_twice():\n    assert twice(1) == 2\n\n\ndef test_fine():\n    pass\n',
    },
    { trust: 'trusted' },
  );
  const { root } = world.world;
  const file = world.at('test_core.py');
  expect((await world.call('run_tests', { workspace_dir: root })).json).toMatchObject({
    passed: false,
    failures: [{ file, line: 5, test_name: 'test_core.py::test_twice', location: location(file, 5) }],
  });
  const one = { workspace_dir: root, path: 'test_core.py::test_fine' };
  expect((await world.call('run_tests', one)).json).toMatchObject({ passed: true });
  expect((await world.call('run_build', { workspace_dir: root })).json).toMatchObject({
    success: false,
    errors: [{ file: world.at('core.py'), line: 2, column: expect.any(Number) }],
  });
});

test.skipIf(!isOnPath('cmake') || !isOnPath('cc'))(
  'on C a tree is configured, built and tested',
  async () => {
    await using world = await ToolWorld.open(
      {
        'CMakeLists.txt':
          'cmake_minimum_required(VERSION 3.16)\nproject(demo C)\nenable_testing()\nadd_executable(t t.c)\nadd_test(NAME asserts COMMAND t)\n',
        't.c': '#include <assert.h>\nint main(void) {\n  assert(1 == 2);\n  return 0;\n}\n',
      },
      { trust: 'trusted' },
    );
    const { json } = await world.call('run_tests', { workspace_dir: world.world.root });
    expect(json).toMatchObject({
      passed: false,
      failures: [{ file: world.at('t.c'), line: 3, test_name: 'asserts' }],
    });
  },
);

describe('what cannot be done is said', () => {
  test.each([
    ['run_build', {}, 'workspace_dir is required'],
    ['run_tests', {}, 'workspace_dir is required'],
    ['run_build', { workspace_dir: 'here' }, 'workspace_dir "here" is not an absolute path'],
    ['run_build', { workspace_dir: '/nowhere/at/all' }, 'inferring workspace root: '],
    ['run_build', { language: 'cobol' }, 'unsupported language: cobol'],
    ['run_build', { language: 'ruby' }, 'unsupported language: ruby'],
    ['run_build', { language: 'swift' }, 'run_build: executing build: command not found: swift'],
    ['run_build', { path: '../..' }, 'is outside workspace root'],
    ['run_build', { path: 'none' }, 'path "none" does not exist'],
    ['run_tests', { test_filter: '--exec=x' }, 'test_filter must not begin with "-"'],
    [
      'run_tests',
      { language: 'zig', test_filter: 'x' },
      'run_tests: executing tests: test_filter is not supported by zig',
    ],
    ['run_build', { language: 'zig', path: 'src' }, 'path is not supported by the zig tools'],
    ['run_tests', { test_files: ['/etc/passwd'] }, 'is outside workspace root'],
    ['get_tests_for_file', {}, 'file_path is required'],
    ['get_tests_for_file', { file_path: '/etc/passwd' }, 'is outside workspace root'],
    ['get_tests_for_file', { file_path: 'none.ts' }, 'reading file none.ts: '],
  ])('%s %j: %s', async (tool, input, sentence) => {
    await using world = await ToolWorld.open(typescriptFiles, { trust: 'trusted' });
    const isRun = tool !== 'get_tests_for_file' && Object.keys(input).length > 0;
    const answer = await world.call(tool, { ...(isRun && { workspace_dir: world.world.root }), ...input });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(sentence) });
  });

  test('a run that takes too long is ended, and says so', async () => {
    await using world = await ToolWorld.open(
      {
        ...typescriptFiles,
        'src/math.test.mjs':
          "import test from 'node:test';\ntest('waits', () => new Promise((done) => setTimeout(done, 60_000)));\n",
      },
      { trust: 'trusted' },
    );
    const { json, hint } = await world.call('run_tests', {
      workspace_dir: world.world.root,
      timeout_ms: 1500,
    });
    expect(json).toMatchObject({ passed: false, timed_out: true, timeout_ms: 1500 });
    expect(hint).toContain('timed out');
  });

  test('a run ends with the call that asked for it', async () => {
    await using world = await ToolWorld.open(
      {
        ...typescriptFiles,
        'package.json': JSON.stringify({ scripts: { test: 'sleep 60' } }),
      },
      { trust: 'trusted' },
    );
    const caller = new AbortController();
    const answer = world.call('run_tests', { workspace_dir: world.world.root }, caller.signal);
    caller.abort(new Error('the caller left'));
    expect(await answer).toMatchObject({ isError: true, text: expect.stringContaining('the caller left') });
  });
});

describe('the tests of a file', () => {
  const files: Readonly<Record<string, string>> = {
    'package.json': '{}',
    'src/a.ts': 'export const a = 1;\n',
    'src/b.ts': 'export const b = 1;\n',
    'src/a.test.ts': "import { b } from './b.js';\n",
    'src/__tests__/a.spec.tsx': '',
    'test/whole.test.ts': "import { a } from '../src/a';\n",
    'test/other.test.ts': '',
    'go/x.go': 'package x\n',
    'go/x_test.go': 'package x\n',
    'go/y_test.go': 'package x\n',
    'py/core.py': '',
    'py/test_core.py': '',
    'tests/test_all.py': '',
    'rs/lib.rs': '',
    'cs/Till.cs': '',
    'cs.tests/TillTests.cs': '',
    'notes.md': '',
  };

  test.each([
    ['src/a.ts', ['src/__tests__/a.spec.tsx', 'src/a.test.ts', 'test/whole.test.ts']],
    ['src/b.ts', ['src/a.test.ts']],
    ['src/a.test.ts', ['src/a.test.ts']],
    ['go/x.go', ['go/x_test.go', 'go/y_test.go']],
    ['py/core.py', ['py/test_core.py', 'tests/test_all.py']],
    ['rs/lib.rs', ['rs/lib.rs']],
    ['cs/Till.cs', ['cs.tests/TillTests.cs']],
    ['notes.md', []],
  ])('%s: %j', async (source, expected) => {
    await using world = await ToolWorld.open(files, { trust: 'trusted' });
    const { json } = await world.call('get_tests_for_file', { file_path: world.at(source) });
    expect(json).toEqual({
      source_file: world.at(source),
      test_files: expected.map((each) => world.at(each)),
    });
  });
});

test('over the wire all three answer', async () => {
  await using world = await ToolWorld.open(typescriptFiles, { trust: 'trusted' });
  await using connection = await McpConnection.open();
  connection.trust(world.world.root);
  const built = await connection.call('run_build', { workspace_dir: world.world.root });
  expect(built.json).toMatchObject({ success: false, errors: [{ line: 3 }] });
  expect(built.content[1]).toBe('Next step: fix the 1 error(s), then call run_build again.');
  const tested = await connection.call('run_tests', { workspace_dir: world.world.root });
  expect(tested.json).toMatchObject({ passed: false, failures: [{ test_name: 'doubles' }] });
  const found = await connection.call('get_tests_for_file', { file_path: world.at('src/math.ts') });
  expect(found.json).toMatchObject({ test_files: [world.at('src/math.test.mjs')] });
});
