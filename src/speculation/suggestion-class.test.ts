import { expect, test } from 'vitest';
import { classOf } from './suggestion-class.ts';

test.each([
  ['commit this', 'commit'],
  ['run the tests', 'check'],
  ['fix the parser', 'change'],
  ['why is it 80?', 'ask'],
  ['yes', 'answer'],
  ['the second one', 'answer'],
  ['运行测试', 'check'],
  ['提交', 'commit'],
  ['somewhere else entirely', 'other'],
] as const)('%s is of the class %s', (suggestion, expected) => {
  expect(classOf(suggestion)).toBe(expected);
});
