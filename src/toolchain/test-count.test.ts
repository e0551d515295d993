/** The output of each runner with executed tests, without any, and without a count. */
import { expect, test } from 'vitest';
import { elixir, gleam } from './language/beam.ts';
import { cmake, make } from './language/c-family.ts';
import { csharp } from './language/csharp.ts';
import { dart } from './language/dart.ts';
import { typescript } from './language/ecmascript.ts';
import { go } from './language/go.ts';
import { maven } from './language/jvm.ts';
import { php } from './language/php.ts';
import { python } from './language/python.ts';
import { ruby } from './language/ruby.ts';
import { rust } from './language/rust.ts';
import { scala } from './language/scala.ts';
import { swift } from './language/swift.ts';
import type { Toolchain } from './toolchain.ts';

type Case = readonly [string, Toolchain, number | undefined, string];

const event = (fields: Readonly<Record<string, unknown>>) => `${JSON.stringify(fields)}\n`;
const goEnd = (test: string, action: string) => event({ Action: action, Package: 'm/p', Test: test });
const jestLike = (...statuses: readonly string[]) =>
  JSON.stringify({ testResults: [{ assertionResults: statuses.map((status) => ({ status })) }] });

const printed: readonly Case[] = [
  ['go test -json', go, 2, goEnd('TestA', 'pass') + goEnd('TestB', 'fail') + goEnd('TestC', 'skip')],
  ['a filter of go that matches nothing', go, 0, event({ Action: 'pass', Package: 'm/p' })],
  ['plain go', go, undefined, 'ok  \tm/p\t0.004s\n?   \tm/q\t[no test files]\n'],
  ['plain go without tests', go, 0, 'ok  \tm/p\t0.004s [no tests to run]\n?   \tm/q\t[no test files]\n'],
  ['verbose go', go, 1, '=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \tm/p\t0.004s\n'],
  ['cargo', rust, 3, 'test result: ok. 2 passed; 1 failed; 4 ignored; 0 measured; 0 filtered out\n'],
  [
    'a filter of cargo that matches nothing',
    rust,
    0,
    'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\n'.repeat(
      2,
    ),
  ],
  ['cargo that did not get to its tests', rust, undefined, ''],
  ['pytest', python, 2, '=== 1 failed, 1 passed, 3 skipped in 0.12s ===\n'],
  ['pytest -q with all deselected', python, 0, '\n1 deselected in 0.01s\n'],
  ['pytest in an empty directory', python, 0, '\nno tests ran in 0.00s\n'],
  ['unittest', python, 0, 'Ran 0 tests in 0.000s\n\nOK\n'],
  ['unittest with all skipped', python, 0, 'Ran 2 tests in 0.000s\n\nOK (skipped=2)\n'],
  ['the TAP of Node', typescript, 3, '# tests 4\n# pass 1\n# fail 2\n# skipped 1\n# todo 0\n'],
  ['a filter of Node that matches nothing', typescript, 0, '# tests 1\n# pass 0\n# fail 0\n# skipped 1\n'],
  [
    'a file without tests under Node',
    typescript,
    0,
    '# Subtest: /p/a.test.mjs\nok 1 - /p/a.test.mjs\n1..1\n# tests 1\n# pass 1\n# fail 0\n',
  ],
  ['the text of vitest', typescript, 4, '      Tests  1 failed | 3 passed | 2 skipped (6)\n'],
  ['the text of vitest with all skipped', typescript, 0, '      Tests  2 skipped (2)\n'],
  ['the text of jest', typescript, 3, 'Tests:       1 skipped, 3 passed, 4 total\n'],
  ['a tolerant jest', typescript, 0, 'No tests found, exiting with code 0\n'],
  ['mocha', typescript, 0, '\n  0 passing (1ms)\n'],
  ['some script', typescript, undefined, 'Tests are fine\n'],
  ['ctest without tests', cmake, 0, 'Test project /p/build\nNo tests were found!!!\n'],
  [
    'ctest',
    cmake,
    1,
    '1/2 Test #1: a ......   Passed    0.00 sec\n2/2 Test #2: b ......***Skipped   0.00 sec\n',
  ],
  ['make', make, undefined, 'ok\n'],
  [
    'dotnet',
    csharp,
    3,
    'Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4, Duration: 1 ms\n',
  ],
  ['dotnet in detail', csharp, 2, 'Total tests: 2\n     Passed: 2\n'],
  [
    'a filter of dotnet that matches nothing',
    csharp,
    0,
    'No test matches the given testcase filter `x` in /p\n',
  ],
  ['maven', maven, 2, '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n'],
  ['a quiet maven', maven, undefined, ''],
  ['rspec', ruby, 0, '0 examples, 0 failures\n'],
  ['minitest', ruby, 2, '3 runs, 2 assertions, 0 failures, 0 errors, 1 skips\n'],
  ['mix', elixir, 4, '1 doctest, 4 tests, 0 failures, 1 excluded\n'],
  ['mix without tests', elixir, 0, 'There are no tests to run\n'],
  ['gleam', gleam, 3, '3 tests, no failures\n'],
  ['sbt', scala, 0, '[info] No tests were executed.\n'],
  [
    'swift',
    swift,
    2,
    '\t Executed 2 tests, with 0 failures in 0.1\n\t Executed 2 tests, with 0 failures in 0.1\n',
  ],
  ['a filter of swift that matches nothing', swift, 0, '\t Executed 0 tests, with 0 failures in 0.0\n'],
];

test.each(printed)('%s', (_, toolchain, count, text) => {
  const output = { root: '/', stdout: text, stderr: '', report: undefined };
  expect(toolchain.countTests?.(output)).toBe(count);
});

const reported: readonly Case[] = [
  ['vitest or jest', typescript, 2, jestLike('passed', 'failed', 'skipped', 'pending', 'todo')],
  ['a filter of vitest that matches nothing', typescript, 0, jestLike('skipped')],
  ['half a report of jest', typescript, undefined, '{"testResults":[{"na'],
  [
    'pytest',
    python,
    1,
    '<testsuites><testsuite tests="2"><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite></testsuites>',
  ],
  ['pytest without tests', python, 0, '<testsuites><testsuite name="pytest" tests="0" /></testsuites>'],
  ['half a report of pytest', python, undefined, '<testsuites><testsuite name="pytest" tests="1"><testc'],
  ['ctest without tests', cmake, 0, '<testsuite name="(empty)"\n\ttests="0"\n\ttime="0"/>\n'],
  ['phpunit without tests', php, 0, '<?xml version="1.0"?>\n<testsuites/>\n'],
  [
    'dart',
    dart,
    1,
    event({ type: 'testDone', hidden: true }) +
      event({ type: 'testDone', skipped: false }) +
      event({ type: 'done' }),
  ],
  ['a cut report of dart', dart, undefined, event({ type: 'testDone', hidden: true })],
];

test.each(reported)('the report of %s', (_, toolchain, count, report) => {
  expect(toolchain.countTests?.({ root: '/', stdout: '', stderr: '', report })).toBe(count);
});
