import { expect, test } from 'vitest';
import { continuesSuggestion, isBeginningOf, isSameInput } from './typed-input.ts';

test.each([
  ['', true],
  ['r', true],
  ['Run the', true],
  ['  run', true],
  ['run the tests', true],
  ['run the tests ', true],
  ['run the tests a', false],
  ['run  the', false],
  ['x', false],
])('"%s" may become the suggestion: %s', (typed, expected) => {
  expect(isBeginningOf(typed, 'run the tests')).toBe(expected);
});

test.each([
  ['run the tests', true, true],
  [' Run  the tests. ', true, true],
  ['run the tests and fix them', false, true],
  ['run the tests, please', false, true],
  ['run the testsuite', false, false],
  ['run the', false, false],
  ['', false, false],
])('"%s" is the suggestion: %s, goes on from it: %s', (input, same, goesOn) => {
  expect([isSameInput(input, 'run the tests'), continuesSuggestion(input, 'run the tests')]).toEqual([
    same,
    goesOn,
  ]);
});

test('scripts without spaces go on without one', () => {
  expect(continuesSuggestion('运行测试并提交', '运行测试')).toBe(true);
});
