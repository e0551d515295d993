import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ancestorsOf, baseName, childOf, isBelow, parentOf, parseWorkspacePath } from './workspace-path.ts';

test.each([
  ['a/b', 'a/b'],
  ['./a//b/', 'a/b'],
  ['a/../b', 'b'],
  ['', ''],
  ['.', ''],
  ['..a/b..', '..a/b..'],
  ['...', '...'],
  ['..', undefined],
  ['a/../../b', undefined],
  ['/a', undefined],
  ['a\0', undefined],
])('%j is the path %j', (input, expected) => {
  expect(parseWorkspacePath(input)).toBe(expected);
});

test('a parsed path parses to itself and is the child of its parent', () => {
  const segment = fc.constantFrom('a', '.', '..', '', '...', 'b c');
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const path = parseWorkspacePath(segments.join('/'));
      if (path === undefined || path === '') return;
      expect(parseWorkspacePath(path)).toBe(path);
      expect(childOf(parentOf(path), baseName(path))).toBe(path);
      for (const ancestor of ancestorsOf(path)) expect(isBelow(path, ancestor)).toBe(true);
    }),
  );
});
