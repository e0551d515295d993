import { expect, test } from 'vitest';
import { bestMatch, namesOf } from './symbol-choice.ts';

test.each([
  ['add', 'add'],
  ['Type.method', 'Type method'],
  ['example.test/kit/math', 'example test kit math'],
  ['ns::Type::method', 'ns Type method'],
  ['(*Server).Start', 'Server Start'],
])('%s is made of the names %s', (path, expected) => {
  expect(namesOf(path).join(' ')).toBe(expected);
});

/** Candidates as `file:dotted.name`; the answer is the one chosen. */
function choose(path: string, ...candidates: readonly string[]): string | undefined {
  const read = candidates.map((found) => {
    const [file = '', name = ''] = found.split(':');
    return { found, file, names: namesOf(name) };
  });
  return bestMatch(read, namesOf(path))?.found;
}

test.each<[string, string, readonly string[], string | undefined]>([
  ['the right container', 'B.run', ['a.ts:A.run', 'b.ts:B.run'], 'b.ts:B.run'],
  ['the right container outside tests first', 'B.run', ['b.test.ts:B.run', 'b.ts:B.run'], 'b.ts:B.run'],
  [
    'the right container in a test, rather than another one',
    'B.run',
    ['a.ts:A.run', 'b.test.ts:B.run'],
    'b.test.ts:B.run',
  ],
  ['a module by the name of its file', 'math.add', ['src/app.ts:add', 'src/math.ts:add'], 'src/math.ts:add'],
  [
    'anything in the container, rather than the name alone',
    'B.run',
    ['a.ts:run', 'b.ts:B.runAll'],
    'b.ts:B.runAll',
  ],
  ['the name alone', 'C.run', ['x.ts:walk', 'a.test.ts:run', 'a.ts:run'], 'a.ts:run'],
  ['the first, where nothing fits', 'run', ['x.ts:runner', 'y.ts:runAll'], 'x.ts:runner'],
  ['nothing of nothing', 'run', [], undefined],
])('a dotted name means %s', (_, path, candidates, expected) => {
  expect(choose(path, ...candidates)).toBe(expected);
});
