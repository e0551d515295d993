import { expect, test } from 'vitest';
import { CompilationFlags, compilationDoubts, type ReadText } from './compilation-database.ts';

function texts(files: Readonly<Record<string, string>>): ReadText {
  return (file) => files[file];
}

const listed = JSON.stringify([
  { directory: '/w', file: 'src/app.cpp', command: 'c++ -c src/app.cpp' },
  { directory: '/w/build', file: '../src/other.cpp', arguments: ['c++'] },
  { directory: '/w', file: '/w/src/absolute.cpp' },
]);

const cases: readonly [string, Record<string, string>, string, string][] = [
  ['a listed unit', { '/w/compile_commands.json': listed }, '/w/src/app.cpp', 'listed'],
  ['one relative to its build', { '/w/compile_commands.json': listed }, '/w/src/other.cpp', 'listed'],
  ['one by its absolute path', { '/w/compile_commands.json': listed }, '/w/src/absolute.cpp', 'listed'],
  ['a database in build', { '/w/build/compile_commands.json': listed }, '/w/src/app.cpp', 'listed'],
  ['a unit that is not listed', { '/w/compile_commands.json': listed }, '/w/src/new.cpp', 'unlisted'],
  ['a database that cannot be read', { '/w/compile_commands.json': '[{' }, '/w/src/app.cpp', 'unlisted'],
  ['flags for a directory', { '/w/compile_flags.txt': '-Wall' }, '/w/src/app.cpp', 'given'],
  ['flags in .clangd', { '/w/.clangd': 'CompileFlags:\n  Add: -I.\n' }, '/w/src/app.cpp', 'given'],
  ['.clangd without flags', { '/w/.clangd': 'Index:\n  Background: Skip\n' }, '/w/src/app.cpp', 'none'],
  ['nothing at all', {}, '/w/src/app.cpp', 'none'],
];

test.each(cases)('%s', (_, files, unit, expected) => {
  expect(new CompilationFlags(texts(files)).of(unit)).toBe(expected);
});

test('a header is judged by the units that include it', () => {
  const read = texts({ '/w/compile_commands.json': listed });
  const header = ['/w/include/a.hpp'];
  expect(compilationDoubts({ touched: header, units: [...header, '/w/src/app.cpp'] }, read)).toEqual([]);
  const [doubt] = compilationDoubts({ touched: header, units: [...header, '/w/src/new.cpp'] }, read);
  expect(doubt).toContain('No unit');
});

test('without a database the doubt says how to get one', () => {
  const [doubt] = compilationDoubts({ touched: ['/w/a.c'], units: ['/w/a.c'] }, texts({}));
  expect(doubt).toContain('CMAKE_EXPORT_COMPILE_COMMANDS');
});
