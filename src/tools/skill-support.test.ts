import { expect, test } from 'vitest';
import { type SkillSupport, skillSupport } from './skill-support.ts';

const needs = { name: 'sample', required: ['a', 'b'], optional: ['c', 'd'] };

test.each<[has: string, expected: SkillSupport]>([
  ['a b c d', { name: 'sample', status: 'supported' }],
  ['a b c', { name: 'sample', status: 'partial', missing_optional: ['d'] }],
  ['a c d', { name: 'sample', status: 'unsupported', missing_required: ['b'] }],
  ['', { name: 'sample', status: 'unsupported', missing_required: ['a', 'b'], missing_optional: ['c', 'd'] }],
])('on a server that can %j', (has, expected) => {
  const capabilities = has.split(' ');
  expect(skillSupport(needs, (capability) => capabilities.includes(capability))).toEqual(expected);
});

test('a skill that needs nothing is supported everywhere', () => {
  expect(skillSupport({ name: 'free', required: [], optional: [] }, () => false).status).toBe('supported');
});
