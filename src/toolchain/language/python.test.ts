import { expect, test } from 'vitest';
import { checkerErrors, pytestFailures } from './python.ts';

/** The output of pytest with `-o junit_family=xunit1 --tb=short`. */
const report = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="3" skipped="0" tests="5" time="0.075" timestamp="2026-11-15T23:38:25.845213+00:00" hostname="vm"><testcase classname="tests.test_core" name="test_twice" file="tests/test_core.py" line="8" time="0.001"><failure message="AssertionError: one &amp; &lt;two&gt;&#10;assert 2 == 3&#10; +  where 2 = twice(1)">tests/test_core.py:10: in test_twice
    assert twice(1) == 3, "one &amp; &lt;two&gt;"
E   AssertionError: one &amp; &lt;two&gt;
E   assert 2 == 3
E    +  where 2 = twice(1)</failure></testcase><testcase classname="tests.test_core.TestHalf" name="test_half" file="tests/test_core.py" line="13" time="0.001"><failure message="assert 1.0 == 5">tests/test_core.py:15: in test_half
    check(half(2), 5)
tests/test_core.py:6: in check
    assert a == b
E   assert 1.0 == 5</failure></testcase><testcase classname="tests.test_core.TestHalf" name="test_param[1]" file="tests/test_core.py" line="16" time="0.001" /><testcase classname="tests.test_core.TestHalf" name="test_param[2]" file="tests/test_core.py" line="16" time="0.001"><failure message="assert 2 == 1">tests/test_core.py:19: in test_param
    assert n == 1
E   assert 2 == 1</failure></testcase><testcase classname="tests.test_core" name="test_setup" file="tests/test_core.py" line="26" time="0.001"><error message="failed on setup with &quot;RuntimeError: no fixture&quot;">tests/test_core.py:24: in broken
    raise RuntimeError("no fixture")
E   RuntimeError: no fixture</error></testcase></testsuite></testsuites>`;

const collection = `<testsuites><testsuite><testcase classname="" name="tests.test_bad" file="tests/test_bad.py" time="0.000"><error message="collection failure">ImportError while importing test module &#x27;/tmp/tests/test_bad.py&#x27;.
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
tests/test_bad.py:1: in &lt;module&gt;
    import nothing_here
E   ModuleNotFoundError: No module named &#x27;nothing_here&#x27;</error></testcase></testsuite></testsuites>`;

test('a failed test is told by its node id and the line of its own file that went wrong', () => {
  const shown = pytestFailures(report).map(({ file, line, testName, message }) => [
    file,
    line,
    testName,
    message,
  ]);
  expect(shown).toEqual([
    [
      'tests/test_core.py',
      10,
      'tests/test_core.py::test_twice',
      'AssertionError: one & <two>\nassert 2 == 3\n +  where 2 = twice(1)',
    ],
    ['tests/test_core.py', 15, 'tests/test_core.py::TestHalf::test_half', 'assert 1.0 == 5'],
    ['tests/test_core.py', 19, 'tests/test_core.py::TestHalf::test_param[2]', 'assert 2 == 1'],
    [
      'tests/test_core.py',
      24,
      'tests/test_core.py::test_setup',
      'failed on setup with "RuntimeError: no fixture"',
    ],
  ]);
});

test('a file that could not be imported fails by its own name', () => {
  expect(pytestFailures(collection)).toEqual([
    {
      file: 'tests/test_bad.py',
      line: 1,
      testName: 'tests/test_bad.py',
      message: "ModuleNotFoundError: No module named 'nothing_here'",
    },
  ]);
});

test.each([
  ['mypy', 'demo/core.py:6:12: error: Incompatible return value type  [return-value]', 'demo/core.py', 12],
  [
    'mypy without columns',
    'demo/core.py:6: error: Incompatible return value type  [return-value]',
    'demo/core.py',
    0,
  ],
  ['pyright', '/p/demo/core.py\n  /p/demo/core.py:6:12 - error: Type "float" is not', '/p/demo/core.py', 12],
])('an error of %s is read', (_, output, file, column) => {
  expect(checkerErrors(`${output}\ndemo/core.py:6: note: nothing\n`)).toEqual([
    { file, line: 6, column, message: expect.stringMatching(/^(Incompat|Type)/) },
  ]);
});
