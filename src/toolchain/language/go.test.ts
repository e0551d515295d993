import { expect, test } from 'vitest';
import { go, goFailures } from './go.ts';

/** `go test -json ./...` over a package with a failing subtest and a panic. */
const failedRun = [
  `{"Action": "start", "Package": "example.com/m"}`,
  `{"Action": "output", "Package": "example.com/m", "Output": "?   \\texample.com/m\\t[no test files]\\n"}`,
  `{"Action": "skip", "Package": "example.com/m", "Elapsed": 0}`,
  `{"Action": "start", "Package": "example.com/m/pkg"}`,
  `{"Action": "run", "Package": "example.com/m/pkg", "Test": "TestTwice"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestTwice", "Output": "=== RUN   TestTwice\\n"}`,
  `{"Action": "run", "Package": "example.com/m/pkg", "Test": "TestTwice/zero"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestTwice/zero", "Output": "=== RUN   TestTwice/zero\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestTwice/zero", "Output": "--- PASS: TestTwice/zero (0.00s)\\n"}`,
  `{"Action": "pass", "Package": "example.com/m/pkg", "Test": "TestTwice/zero", "Elapsed": 0}`,
  `{"Action": "run", "Package": "example.com/m/pkg", "Test": "TestTwice/one"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestTwice/one", "Output": "=== RUN   TestTwice/one\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestTwice/one", "Output": "    p_test.go:13: Twice(1) = 2, want 3\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestTwice/one", "Output": "--- FAIL: TestTwice/one (0.00s)\\n"}`,
  `{"Action": "fail", "Package": "example.com/m/pkg", "Test": "TestTwice/one", "Elapsed": 0}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestTwice", "Output": "--- FAIL: TestTwice (0.00s)\\n"}`,
  `{"Action": "fail", "Package": "example.com/m/pkg", "Test": "TestTwice", "Elapsed": 0}`,
  `{"Action": "run", "Package": "example.com/m/pkg", "Test": "TestPanics"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "=== RUN   TestPanics\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "--- FAIL: TestPanics (0.00s)\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "panic: runtime error: invalid memory address or nil pointer dereference [recovered, repanicked]\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x52e362]\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "goroutine 9 [running]:\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "testing.tRunner.func1.2({0x55a740, 0x6cae60})\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "\\t/usr/local/go/src/testing/testing.go:1974 +0x232\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "testing.tRunner.func1()\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "\\t/usr/local/go/src/testing/testing.go:1977 +0x349\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "panic({0x55a740?, 0x6cae60?})\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "\\t/usr/local/go/src/runtime/panic.go:860 +0x13a\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "example.com/m/pkg.TestPanics(0x39d7396f6908?)\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "\\t/tmp/cap/go/pkg/p_test.go:20 +0x2\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "testing.tRunner(0x39d7396f6908, 0x592e48)\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "\\t/usr/local/go/src/testing/testing.go:2036 +0xea\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "created by testing.(*T).Run in goroutine 1\\n"}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Test": "TestPanics", "Output": "\\t/usr/local/go/src/testing/testing.go:2101 +0x4c5\\n"}`,
  `{"Action": "fail", "Package": "example.com/m/pkg", "Test": "TestPanics", "Elapsed": 0}`,
  `{"Action": "output", "Package": "example.com/m/pkg", "Output": "FAIL\\texample.com/m/pkg\\t0.006s\\n"}`,
  `{"Action": "fail", "Package": "example.com/m/pkg", "Elapsed": 0.006}`,
].join('\n');

/** The same with compile errors in the package and in its tests. */
const failedBuild = [
  `{"ImportPath":"example.com/m","Action":"build-output","Output":"# example.com/m\\n"}`,
  `{"ImportPath":"example.com/m","Action":"build-output","Output":"./bad.go:5:13: undefined: missing\\n"}`,
  `{"ImportPath":"example.com/m","Action":"build-fail"}`,
  `{"Action":"start","Package":"example.com/m"}`,
  `{"Action":"output","Package":"example.com/m","Output":"FAIL\\texample.com/m [build failed]\\n"}`,
  `{"Action":"fail","Package":"example.com/m","Elapsed":0,"FailedBuild":"example.com/m"}`,
  `{"ImportPath":"example.com/m/pkg [example.com/m/pkg.test]","Action":"build-output","Output":"pkg/q_test.go:3:28: cannot use \\"no\\"\\n"}`,
  `{"Action":"output","Package":"example.com/m/pkg","Output":"FAIL\\texample.com/m/pkg [build failed]\\n"}`,
  `{"Action":"fail","Package":"example.com/m/pkg","Elapsed":0,"FailedBuild":"example.com/m/pkg [example.com/m/pkg.test]"}`,
].join('\n');

test('a failing subtest stands for its parent, and a panic is placed in the test rather than in the runtime', () => {
  expect(goFailures(failedRun, 'example.com/m')).toEqual([
    {
      file: 'p_test.go',
      line: 13,
      testName: 'TestTwice/one',
      message: 'p_test.go:13: Twice(1) = 2, want 3',
      directory: 'pkg',
    },
    {
      file: '/tmp/cap/go/pkg/p_test.go',
      line: 20,
      testName: 'TestPanics',
      message: expect.stringMatching(/^panic: runtime error: invalid memory address/),
      directory: 'pkg',
    },
  ]);
});

test('tests that do not compile fail by what the compiler says, under the name of their package', () => {
  expect(goFailures(failedBuild, 'example.com/m')).toEqual([
    { file: './bad.go', line: 5, testName: 'example.com/m', message: 'undefined: missing' },
    { file: 'pkg/q_test.go', line: 3, testName: 'example.com/m/pkg', message: 'cannot use "no"' },
  ]);
});

test('what programs print into the stream is not taken for events', () => {
  expect(goFailures('{not json\nplain\n{"Action":1}', '')).toEqual([]);
});

test('errors of a build are told with line and column', () => {
  const stderr =
    '# example.com/m\n./bad.go:4:6: declared and not used: unused\n./bad.go:5:13: undefined: missing\n';
  expect(go.parseBuild({ root: '/', stdout: '', stderr, report: undefined })).toEqual([
    { file: './bad.go', line: 4, column: 6, message: 'declared and not used: unused' },
    { file: './bad.go', line: 5, column: 13, message: 'undefined: missing' },
  ]);
});

test.each([
  [undefined, './...'],
  [{ path: 'pkg', kind: 'directory' } as const, './pkg/...'],
  [{ path: 'pkg/a_test.go', kind: 'file' } as const, './pkg'],
  [{ path: '-exec', kind: 'directory' } as const, './-exec/...'],
])('the target %j is the package pattern %s', async (target, pattern) => {
  const steps = await go.testCommands?.({
    root: '/',
    target,
    filter: undefined,
    files: [],
    reportFile: '/r',
  });
  expect(steps).toEqual([{ alternatives: [['go', 'test', '-json', pattern]], env: { GOWORK: 'off' } }]);
});
