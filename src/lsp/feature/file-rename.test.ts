import { expect, test } from 'vitest';
import { renamesMatch } from './file-rename.ts';

const source = { filters: [{ scheme: 'file', pattern: { glob: '**/*.{ts,tsx}', matches: 'file' } }] };

test.each<[string, unknown, string, boolean]>([
  ['a file of the pattern', source, 'file:///w/a.ts', true],
  ['a file in a hidden directory', source, 'file:///w/.x/a%20b.tsx', true],
  ['another file', source, 'file:///w/a.md', false],
  ['another scheme', source, 'untitled:///w/a.ts', false],
  [
    'a pattern for folders',
    { filters: [{ pattern: { glob: '**/*', matches: 'folder' } }] },
    'file:///w/a',
    false,
  ],
  ['a pattern for both', { filters: [{ pattern: { glob: '**/*' } }] }, 'file:///w/a', true],
  ['no filter', {}, 'file:///w/a.ts', false],
  ['nothing', undefined, 'file:///w/a.ts', false],
])('a server hears of a rename that its filters name: %s', (_, options, uri, expected) => {
  expect(renamesMatch(options, uri)).toBe(expected);
});
