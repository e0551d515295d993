import { expect, test } from 'vitest';
import { runnerFailures, tapFailures } from './runner-report.ts';

const vitestReport = {
  testResults: [
    {
      assertionResults: [],
      startTime: 1794785850580,
      endTime: 1794785850580,
      status: 'failed',
      message: "Cannot find module './nothing.ts' imported from /tmp/cap/ts/src/broken.test.ts",
      name: '/tmp/cap/ts/src/broken.test.ts',
    },
    {
      assertionResults: [
        {
          ancestorTitles: ['twice'],
          fullName: 'twice one',
          status: 'failed',
          title: 'one',
          duration: 7.991692999999998,
          failureMessages: [
            'AssertionError: expected 2 to be 3 // Object.is equality\n    at /tmp/cap/ts/src/math.test.ts:5:40\n    at file:///work/next/node_modules/@vitest/runner/dist/chunk-artifact.js:302:11',
          ],
          meta: {},
          tags: [],
        },
        {
          ancestorTitles: ['twice'],
          fullName: 'twice zero',
          status: 'passed',
          title: 'zero',
          duration: 0.40007600000001275,
          failureMessages: [],
          meta: {},
          tags: [],
        },
        {
          ancestorTitles: [],
          fullName: 'throws',
          status: 'failed',
          title: 'throws',
          duration: 0.7626530000000002,
          failureMessages: [
            'Error: plain\n    at /tmp/cap/ts/src/math.test.ts:8:30\n    at file:///work/next/node_modules/@vitest/runner/dist/chunk-artifact.js:302:11',
          ],
          meta: {},
          tags: [],
        },
      ],
      startTime: 1794785850888,
      endTime: 1794785850897.7627,
      status: 'failed',
      message: '',
      name: '/tmp/cap/ts/src/math.test.ts',
    },
  ],
};

const jestReport = {
  testResults: [
    {
      assertionResults: [
        {
          ancestorTitles: ['twice'],
          duration: 33,
          failureDetails: [
            {
              matcherResult: {
                actual: 2,
                expected: 3,
                message: 'expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2',
                name: 'toBe',
                pass: false,
              },
            },
          ],
          failureMessages: [
            'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2\n    at Object.toBe (/tmp/cap/jest/a.test.js:3:20)\n    at Promise.then.completed (/tmp/cap/jest/node_modules/jest-circus/build/utils.js:298:28)\n    at new Promise (<anonymous>)',
          ],
          fullName: 'twice one',
          invocations: 1,
          location: null,
          numPassingAsserts: 0,
          retryReasons: [],
          status: 'failed',
          title: 'one',
        },
      ],
      endTime: 1794785970226,
      message:
        "  \u25cf twice \u203a one\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 2\n\n      1 | const { twice } = require('./a.js');\n      2 | describe('twice', () => { test('one', () => {\n    > 3 |   expect(twice(1)).toBe(3);\n        |                    ^\n      4 | }); });\n      5 |\n\n      at Object.toBe (a.test.js:3:20)\n",
      name: '/tmp/cap/jest/a.test.js',
      startTime: 1794785968381,
      status: 'failed',
      summary: '',
    },
  ],
};

const tap = `TAP version 13
# Subtest: group
    # Subtest: fails
    not ok 1 - fails
      ---
      duration_ms: 2.314757
      location: '/tmp/cap/nt/a.test.js:4:3'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:
        
        1 !== 2
        
      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      expected: 2
      actual: 1
      operator: 'strictEqual'
      stack: |-
        TestContext.<anonymous> (/tmp/cap/nt/a.test.js:4:32)
        Test.runInAsyncScope (node:async_hooks:206:9)
        Test.run (node:internal/test_runner/test:796:25)
        Test.start (node:internal/test_runner/test:702:17)
        node:internal/test_runner/test:1133:71
        node:internal/per_context/primordials:482:82
        new Promise (<anonymous>)
        new SafePromise (node:internal/per_context/primordials:450:29)
        node:internal/per_context/primordials:482:9
        Array.map (<anonymous>)
      ...
    # Subtest: ok
    ok 2 - ok
      ---
      duration_ms: 0.202588
      ...
    1..2
not ok 1 - group
  ---
  duration_ms: 4.173824
  type: 'suite'
  location: '/tmp/cap/nt/a.test.js:3:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
# Subtest: top
not ok 2 - top
  ---
  duration_ms: 0.164246
  location: '/tmp/cap/nt/a.test.js:7:1'
  failureType: 'testCodeFailure'
  error: 'boom'
  code: 'ERR_TEST_FAILURE'
  stack: |-
    TestContext.<anonymous> (/tmp/cap/nt/a.test.js:7:27)
    Test.runInAsyncScope (node:async_hooks:206:9)
    Test.run (node:internal/test_runner/test:796:25)
    Test.processPendingSubtests (node:internal/test_runner/test:526:18)
    Suite.postRun (node:internal/test_runner/test:889:19)
    Suite.run (node:internal/test_runner/test:1150:10)
    async Test.processPendingSubtests (node:internal/test_runner/test:526:7)
  ...
1..2
# tests 3
# suites 1
# pass 1
# fail 2
# cancelled 0
# skipped 0
# todo 0
# duration_ms 120.987318
`;

test('a failure of vitest is placed in the test file, and a suite that cannot load is one too', () => {
  expect(runnerFailures(JSON.stringify(vitestReport))).toEqual([
    {
      file: '/tmp/cap/ts/src/broken.test.ts',
      line: 0,
      testName: '/tmp/cap/ts/src/broken.test.ts',
      message: "Cannot find module './nothing.ts' imported from /tmp/cap/ts/src/broken.test.ts",
    },
    {
      file: '/tmp/cap/ts/src/math.test.ts',
      line: 5,
      testName: 'twice > one',
      message: 'AssertionError: expected 2 to be 3 // Object.is equality',
    },
    { file: '/tmp/cap/ts/src/math.test.ts', line: 8, testName: 'throws', message: 'Error: plain' },
  ]);
});

test('a failure of jest is read the same way', () => {
  expect(runnerFailures(JSON.stringify(jestReport))).toEqual([
    {
      file: '/tmp/cap/jest/a.test.js',
      line: 3,
      testName: 'twice > one',
      message: 'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 3\nReceived: 2',
    },
  ]);
});

test("a failure of Node's own runner is told without the suites around it", () => {
  expect(tapFailures(tap)).toEqual([
    {
      file: '/tmp/cap/nt/a.test.js',
      line: 4,
      testName: 'fails',
      message: 'Expected values to be strictly equal:\n\n1 !== 2',
    },
    { file: '/tmp/cap/nt/a.test.js', line: 7, testName: 'top', message: 'boom' },
  ]);
});

test('half a report holds no failures', () => {
  expect(runnerFailures('{"testResults":[{"na')).toEqual([]);
});
