import { expect, test } from 'vitest';
import { shellText } from './shell-words.ts';

test.each([
  [['cat', 'a.txt'], 'cat a.txt'],
  [['grep', '-n', 'a b', 'x'], "grep -n 'a b' x"],
  [['echo', "it's", '$HOME', '', '*'], "echo 'it'\\''s' '$HOME' '' '*'"],
  [['A=1'], "'A=1'"],
  ['ls | wc -l', 'ls | wc -l'],
])('%j as shell text is %s', (command, text) => {
  expect(shellText(command)).toBe(text);
});
