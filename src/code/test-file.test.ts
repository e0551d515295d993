import { expect, test } from 'vitest';
import { isTestFile } from './test-file.ts';

test.each([
  'math_test.go',
  'src/math.test.ts',
  'math.spec.js',
  'test_math.py',
  'math_test.py',
  'math_spec.rb',
  'MathTest.java',
  'MathTests.cs',
  'MathTests.swift',
  'tests/common/mod.rs',
  'src/__tests__/math.ts',
  'spec/math.rb',
])('%s is a test', (path) => {
  expect(isTestFile(path)).toBe(true);
});

test.each(['src/math.ts', 'contest.py', 'latest.go', 'attest/math.rs', 'Testing.java', 'test-data.json'])(
  '%s is no test',
  (path) => {
    expect(isTestFile(path)).toBe(false);
  },
);
