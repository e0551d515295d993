import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SourceFile, Survey } from '../../graph/reach/reach-graph.ts';
import { parentOf, parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { leftOutPatterns } from './left-out-pattern.ts';
import { byDirectory, directoriesInScope } from './scope-directories.ts';

function at(path: string): WorkspacePath {
  const parsed = parseWorkspacePath(path);
  if (parsed === undefined) throw new Error(`${path} is no path`);
  return parsed;
}

/** `path` is a module, `path!` is visible everywhere, `path:lib,lib` imports libraries. */
function survey(...lines: readonly string[]): Survey {
  const files = lines
    .filter((line) => !line.endsWith('package.json'))
    .map((line) => {
      const [path = '', libraries = ''] = line.split(':');
      return {
        path: at(path.replace('!', '')),
        isGlobal: path.endsWith('!'),
        libraries: libraries.split(',').filter((name) => name !== ''),
      };
    });
  return { files, configs: lines.filter((line) => line.endsWith('package.json')).map(at) };
}

const nothing = { edited: [], asked: [], places: [] };
const everyName = () => true;

const two = [
  'p/package.json',
  'p/src/a.ts',
  'p/test/a.ts',
  'q/package.json',
  'q/src/b.ts',
  'q/src/deep/c.ts',
];

test.each([
  ['an edited file brings its package', two, { edited: [at('p/src/a.ts')] }, ['p/src', 'p/test']],
  ['a file asked about brings its directory', two, { asked: [at('q/src/b.ts')] }, ['q/src']],
  ['a chosen place brings everything below', two, { places: [at('q')] }, ['q/src', 'q/src/deep']],
  ['what is visible everywhere is in', [...two, 'r/g.d.ts!'], {}, ['r']],
  ['without a package, the directory', ['x/a.ts', 'y/b.ts'], { edited: [at('x/a.ts')] }, ['x']],
  ['a new file in a new directory', two, { edited: [at('new/n.ts')] }, ['new']],
  ['every library has an importer', ['x/a.ts:one', 'y/b.ts:one,two', 'z/c.ts:two'], {}, ['y']],
  ['an importer in scope is enough', ['x/a.ts:one', 'y/b.ts:one'], { asked: [at('x/a.ts')] }, ['x']],
] as const)('%s', (_, lines, wish, expected) => {
  const inScope = directoriesInScope(survey(...lines), { ...nothing, ...wish }, everyName);
  expect([...inScope].sort()).toEqual(expected);
});

test('names that are no libraries need no importer', () => {
  const lines = ['x/a.ts:@/alias', 'y/b.ts:real'];
  const inScope = directoriesInScope(survey(...lines), nothing, (specifier) => specifier === 'real');
  expect([...inScope]).toEqual(['y']);
});

test.each([
  ['a directory out of scope is left out as a whole', ['p'], [], ['q']],
  ['one with something in scope below is left out by its files', ['q/src/deep'], [], ['p', 'q/src/*.ts']],
  ['one that hides others is not left out as a whole', ['p'], ['q'], ['q/src']],
] as const)('%s', (_, kept, hiding, expected) => {
  const lines = ['p/a.ts', 'q/src/b.ts', 'q/src/deep/c.ts'];
  const inScope = new Set(kept.map(at));
  const patterns = leftOutPatterns(byDirectory(survey(...lines).files), {
    inScope,
    hidesOthers: (directory) => hiding.some((name) => name === directory),
  });
  expect(patterns).toEqual(expected);
});

const segment = fc.constantFrom('a', 'b', 'c', 'src', 'we*rd');
const sources: fc.Arbitrary<SourceFile> = fc.record({
  path: fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom('x.ts', 'y.tsx', 'z.d.ts'))
    .map(([directories, name]) => at([...directories, name].join('/'))),
  isGlobal: fc.boolean(),
  libraries: fc.uniqueArray(fc.constantFrom('one', 'two', 'three')),
});

test('nothing in scope is left out, and everything out of scope that can be named is', () => {
  fc.assert(
    fc.property(fc.array(sources), fc.array(sources), (files, asked) => {
      const whole = { files, configs: [] };
      const wish = { ...nothing, asked: asked.map(({ path }) => path) };
      const inScope = directoriesInScope(whole, wish, everyName);
      for (const { path, isGlobal } of files) if (isGlobal) expect(inScope).toContain(parentOf(path));
      for (const { path } of asked) expect(inScope).toContain(parentOf(path));
      const loaded = new Set(
        files.filter(({ path }) => inScope.has(parentOf(path))).flatMap((file) => file.libraries),
      );
      expect(loaded).toEqual(new Set(files.flatMap((file) => file.libraries)));
      const patterns = leftOutPatterns(byDirectory(files), { inScope, hidesOthers: () => false });
      for (const { path } of [...files, ...asked]) {
        const isOut = patterns.some((pattern) => matches(pattern, path));
        expect([path, isOut]).toEqual([path, !inScope.has(parentOf(path)) && !path.includes('*')]);
      }
    }),
  );
});

/** Matches patterns as a compiler does: a directory with everything below it, or the files of one by extension. */
function matches(pattern: string, path: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return path.startsWith(`${pattern}/`);
  const [directory, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return path.startsWith(directory) && !path.slice(directory.length).includes('/') && path.endsWith(end);
}
