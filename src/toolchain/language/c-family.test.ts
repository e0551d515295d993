import { expect, test } from 'vitest';
import { cmake, ctestFailures } from './c-family.ts';

const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)"
	tests="2"
	failures="1"
	disabled="0"
	skipped="0"
	hostname=""
	time="0"
	timestamp="2026-11-15T23:37:33"
	>
	<testcase name="asserts" classname="asserts" time="0.00704003" status="fail">
		<failure message=""/>
		<system-out>t: /tmp/cap/cm/t.c:3: main: Assertion \`argc == 2' failed.
</system-out>
	</testcase>
	<testcase name="fine" classname="fine" time="0.00677025" status="run">
		<system-out></system-out>
	</testcase>
</testsuite>
`;

const gcc = `/p/t.c: In function 'bad':
/p/t.c:5:24: error: 'missing' undeclared (first use in this function)
    5 | int bad(void) { return missing; }
/p/t.c:5:24: note: each undeclared identifier is reported only once for each function it appears in
/p/t.c:5:57: warning: returning 'char *' from a function with return type 'int'
gmake: *** [Makefile:101: all] Error 2`;

test('a failed test of CTest is placed by what its output names', () => {
  expect(ctestFailures(report)).toEqual([
    {
      file: '/tmp/cap/cm/t.c',
      line: 3,
      testName: 'asserts',
      message: "t: /tmp/cap/cm/t.c:3: main: Assertion `argc == 2' failed.",
    },
  ]);
});

test.each([
  ['gcc', gcc, { file: '/p/t.c', line: 5, column: 24, message: expect.stringMatching(/undeclared/) }],
  [
    'the linker-less Microsoft compiler',
    String.raw`C:\p\t.cpp(5,24): error C2065: 'missing': undeclared identifier`,
    { file: String.raw`C:\p\t.cpp`, line: 5, column: 24, message: expect.stringMatching(/^C2065/) },
  ],
])('errors of %s are read, warnings and notes are not', (_, stderr, error) => {
  expect(cmake.parseBuild({ root: '/', stdout: '', stderr, report: undefined })).toEqual([error]);
});
