/** Formats of toolchains that are rarely installed, from their documentation. */
import { expect, test } from 'vitest';
import type { TestFailure, Toolchain } from '../toolchain.ts';
import { elixir, gleam } from './beam.ts';
import { csharp } from './csharp.ts';
import { dart } from './dart.ts';
import { php } from './php.ts';
import { ruby } from './ruby.ts';
import { scala } from './scala.ts';
import { swift } from './swift.ts';
import { zig } from './zig.ts';

/** Every stream contains the same text: each toolchain parses the one it prints to. */
const outputOf = (text: string) => ({ root: '/', stdout: text, stderr: text, report: text });

const builds: readonly (readonly [string, Toolchain, string, readonly [string, number, number, string]])[] = [
  [
    'C#',
    csharp,
    "/p/Program.cs(5,13): error CS0103: The name 'x' does not exist [/p/p.csproj]",
    ['/p/Program.cs', 5, 13, "CS0103: The name 'x' does not exist"],
  ],
  [
    'Swift',
    swift,
    "/p/a.swift:3:9: error: cannot find 'x' in scope",
    ['/p/a.swift', 3, 9, "cannot find 'x' in scope"],
  ],
  [
    'Zig',
    zig,
    "src/main.zig:3:5: error: use of undeclared identifier 'x'",
    ['src/main.zig', 3, 5, "use of undeclared identifier 'x'"],
  ],
  [
    'Dart',
    dart,
    "ERROR|COMPILE_TIME_ERROR|UNDEFINED_IDENTIFIER|/p/lib/a.dart|3|5|1|Undefined name 'x'.",
    ['/p/lib/a.dart', 3, 5, "Undefined name 'x'."],
  ],
  [
    'Elixir',
    elixir,
    '    error: undefined variable "x"\n    │\n  3 │     x\n    │     ^\n    │\n    └─ lib/a.ex:3:5: A.foo/0\n',
    ['lib/a.ex', 3, 5, 'undefined variable "x"'],
  ],
  [
    'older Elixir',
    elixir,
    '** (CompileError) lib/a.ex:3: undefined function x/0\n',
    ['lib/a.ex', 3, 0, 'undefined function x/0'],
  ],
  [
    'Gleam',
    gleam,
    'error: Type mismatch\n  ┌─ /p/src/a.gleam:4:3\n  │\n',
    ['/p/src/a.gleam', 4, 3, 'Type mismatch'],
  ],
  [
    'Scala 2',
    scala,
    '[error] /p/A.scala:3:5: not found: value x',
    ['/p/A.scala', 3, 5, 'not found: value x'],
  ],
  [
    'Scala 3',
    scala,
    '[error] -- [E006] Not Found Error: /p/A.scala:3:5 --------',
    ['/p/A.scala', 3, 5, 'Not Found Error'],
  ],
];

test.each(builds)('an error of %s is read', (_, toolchain, text, [file, line, column, message]) => {
  expect(toolchain.parseBuild(outputOf(text))).toEqual([{ file, line, column, message }]);
});

const failures: readonly (readonly [string, Toolchain, string, TestFailure])[] = [
  [
    'C#',
    csharp,
    `  Failed Demo.Tests.Adds [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
  Stack Trace:
     at Demo.Tests.Adds() in /p/Tests.cs:line 9
`,
    {
      file: '/p/Tests.cs',
      line: 9,
      testName: 'Demo.Tests.Adds',
      message: 'Assert.Equal() Failure: Values differ',
    },
  ],
  [
    'Swift',
    swift,
    `Test Case 'DemoTests.testAdds' started at 2024-01-01
/p/Tests/DemoTests.swift:7: error: DemoTests.testAdds : XCTAssertEqual failed: ("2") is not equal to ("3") - 
Test Case 'DemoTests.testAdds' failed (0.1 seconds)`,
    {
      file: '/p/Tests/DemoTests.swift',
      line: 7,
      testName: 'DemoTests.testAdds',
      message: expect.stringMatching(/^XCTAssertEqual failed/),
    },
  ],
  [
    'Zig',
    zig,
    `error: 'main.test.adds' failed: expected 3, found 2
/usr/lib/zig/std/testing.zig:110:17: 0x103 in expectEqualInner (test)
/p/src/main.zig:12:5: 0x104 in test.adds (test)
`,
    { file: '/p/src/main.zig', line: 12, testName: 'main.test.adds', message: 'expected 3, found 2' },
  ],
  [
    'RSpec',
    ruby,
    `F

Failures:

  1) Calculator adds
     Failure/Error: expect(add(1, 1)).to eq(3)

       expected: 3
            got: 2
     # ./spec/calculator_spec.rb:5:in \`block (2 levels) in <top (required)>'

Finished in 0.02 seconds
`,
    {
      file: './spec/calculator_spec.rb',
      line: 5,
      testName: 'Calculator adds',
      message: 'expected: 3\ngot: 2',
    },
  ],
  [
    'Minitest',
    ruby,
    `  1) Failure:
TestAdd#test_adds [test/test_add.rb:6]:
Expected: 3
  Actual: 2

1 runs, 1 assertions`,
    { file: 'test/test_add.rb', line: 6, testName: 'TestAdd#test_adds', message: 'Expected: 3\nActual: 2' },
  ],
  [
    'PHPUnit',
    php,
    `<testsuites><testcase name="testAdds" file="/p/tests/AddTest.php" line="8" class="AddTest" classname="AddTest"><failure type="X">AddTest::testAdds
Failed asserting that 2 matches expected 3.

/p/tests/AddTest.php:10</failure></testcase></testsuites>`,
    {
      file: '/p/tests/AddTest.php',
      line: 10,
      testName: 'AddTest::testAdds',
      message: 'Failed asserting that 2 matches expected 3.',
    },
  ],
  [
    'Dart',
    dart,
    `{"test":{"id":3,"name":"adds","line":4,"column":3,"url":"file:///p/test/a_test.dart"},"type":"testStart"}
{"testID":3,"error":"Expected: <3>\\n  Actual: <2>\\n","stackTrace":"test/a_test.dart 5:5","isFailure":true,"type":"error"}`,
    { file: '/p/test/a_test.dart', line: 4, testName: 'adds', message: 'Expected: <3>\n  Actual: <2>' },
  ],
  [
    'ExUnit',
    elixir,
    `  1) test greets the world (AppTest)
     test/app_test.exs:5
     Assertion with == failed
     code:  assert App.hello() == :moon
     left:  :world
     stacktrace:
       test/app_test.exs:6: (test)

Finished in 0.02 seconds
`,
    {
      file: 'test/app_test.exs',
      line: 6,
      testName: 'test greets the world (AppTest)',
      message: 'Assertion with == failed\ncode:  assert App.hello() == :moon\nleft:  :world',
    },
  ],
  [
    'ScalaTest',
    scala,
    `[info] AddSpec:
[info] - adds *** FAILED ***
[info]   2 did not equal 3 (AddSpec.scala:7)
`,
    { file: 'AddSpec.scala', line: 7, testName: 'adds', message: '2 did not equal 3' },
  ],
  [
    'munit',
    scala,
    '==> X demo.AddSuite.adds  0.01s munit.ComparisonFailException: /p/AddSuite.scala:5 values are not the same\n',
    {
      file: '/p/AddSuite.scala',
      line: 5,
      testName: 'demo.AddSuite.adds',
      message: 'values are not the same',
    },
  ],
];

test.each(failures)('a failure of %s is read', (_, toolchain, text, failure) => {
  expect(toolchain.parseTests?.(outputOf(text))).toEqual([failure]);
});
