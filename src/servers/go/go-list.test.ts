import { expect, test } from 'vitest';
import { diagnosticOf, readGoList } from './go-list.ts';

const place = { root: '/w', cwd: '/w' };

function list(...packages: readonly object[]): string {
  return packages.map((each) => `${JSON.stringify(each, undefined, '\t')}\n`).join('');
}

const app = { Dir: '/w/app', ImportPath: 'kit/app', Name: 'app', GoFiles: ['app.go', 'more.go'] };

test('errors of the compiler are told where they are, once for a package and its tests', () => {
  const Err = '# kit/app\napp/app.go:3:8: undefined: X\n\tand more\n';
  const forTest = {
    ...app,
    ImportPath: 'kit/app [kit/app.test]',
    ForTest: 'kit/app',
    Error: { Pos: '', Err },
  };
  const { problems, states } = readGoList(list({ ...app, Error: { Pos: '', Err } }, forTest), place);
  expect(problems).toEqual([
    { path: 'app/app.go', line: 3, column: 8, message: 'undefined: X\n\tand more', source: 'compiler' },
  ]);
  expect(states.get('app/more.go')).toEqual({ kind: 'checked' });
});

test('a test that the generated program cannot call is an error of its own file', () => {
  const message = 'wrong signature for TestSum, must be: func TestSum(t *testing.T)';
  const generated = {
    Dir: '/w/app',
    ImportPath: 'kit/app.test',
    Name: 'main',
    GoFiles: ['/home/.cache/go-build/4b/4bc4-d'],
    Error: { ImportStack: [], Pos: '', Err: `/w/app/app_test.go:9:1: ${message}` },
  };
  const forTest = {
    ...app,
    ImportPath: 'kit/app [kit/app.test]',
    ForTest: 'kit/app',
    GoFiles: ['app_test.go'],
  };
  const { problems, states } = readGoList(list(app, generated, forTest), place);
  expect(problems).toEqual([{ path: 'app/app_test.go', line: 9, column: 1, message, source: 'compiler' }]);
  expect(states.get('app/app_test.go')).toEqual({ kind: 'checked' });
});

test('a program that does not compile is not linked, so nothing is said of its main function', () => {
  const program = { ...app, Name: 'main' };
  const failed = { ...program, Error: { Pos: '', Err: '# kit/app\napp/app.go:3:8: undefined: X\n' } };
  expect(readGoList(list(program), place).programs).toEqual([['app/app.go', 'app/more.go']]);
  expect(readGoList(list(failed), place).programs).toEqual([]);
});

test('an error that names a file and no line is told at the top of that file', () => {
  const Err = 'more.go: multiple //go:build comments';
  const found = { ...app, GoFiles: ['app.go'], InvalidGoFiles: ['more.go'], Error: { Pos: '', Err } };
  const { problems, states } = readGoList(list(found), place);
  expect(problems).toEqual([{ path: 'app/more.go', line: 1, column: 1, message: Err, source: 'go list' }]);
  expect(states.get('app/more.go')).toEqual({ kind: 'checked' });
});

test('two package clauses in a directory are told at the file that differs, wherever the package is imported', () => {
  const Err = 'found packages app (app.go) and other (app_test.go) in /w/app';
  const found = { ...app, InvalidGoFiles: ['app_test.go'], Error: { Pos: 'main.go:3:8', Err } };
  const importer = { Dir: '/w', ImportPath: 'kit', Name: 'kit', GoFiles: ['main.go'] };
  const importing = { ...importer, DepsErrors: [found.Error] };
  const { problems, states } = readGoList(list(found, importing), place);
  expect(problems).toEqual([
    { path: 'app/app_test.go', line: 1, column: 1, message: Err, source: 'go list' },
  ]);
  expect(states.get('app/app.go')).toMatchObject({ kind: 'unchecked' });
  expect(states.get('main.go')).toMatchObject({ kind: 'unchecked' });
});

test('behind a syntax error nothing of the package was checked', () => {
  const Err = '# kit/app\napp/app.go:3:8: syntax error: unexpected var\n';
  const { problems, states } = readGoList(list({ ...app, Error: { Pos: '', Err } }), place);
  expect(problems).toMatchObject([{ source: 'syntax' }]);
  expect(states.get('app/app.go')).toEqual({ kind: 'checked' });
  expect(states.get('app/more.go')).toMatchObject({ kind: 'unchecked' });
});

test('a package whose dependency does not compile was not checked', () => {
  const DepsErrors = [{ Pos: '', Err: '# kit/math\nmath/m.go:1:1: undefined: Y\n' }];
  const { problems, states } = readGoList(list({ ...app, DepsErrors }), place);
  expect(problems).toEqual([]);
  expect(states.get('app/app.go')).toEqual({ kind: 'unchecked', why: 'math/m.go:1:1: undefined: Y' });
});

test('an import that leads nowhere is an error of the file that spells it', () => {
  const DepsErrors = [{ ImportStack: ['kit/app'], Pos: 'app/app.go:3:8', Err: 'no required module' }];
  const { problems } = readGoList(list({ ...app, DepsErrors }), place);
  expect(problems).toMatchObject([{ path: 'app/app.go', line: 3, column: 8, source: 'go list' }]);
});

test('a package that only an importer outside the workspace names is asked for in the files that wait for it', () => {
  const Err = 'no required module provides package lib.test/far; to add it:\n\tgo get lib.test/far';
  const outside = { ImportStack: ['kit/app', 'lib.test/near'], Pos: '/home/go/near/near.go:3:8', Err };
  const { lost } = readGoList(list({ ...app, DepsErrors: [outside] }), place);
  expect(lost).toEqual([{ specifier: 'lib.test/far', message: Err, files: ['app/app.go', 'app/more.go'] }]);
  const inside = { ...outside, Pos: 'app/app.go:3:8' };
  expect(readGoList(list({ ...app, DepsErrors: [inside] }), place).lost).toEqual([]);
});

test('an import cycle is told at the top of the package, with its way', () => {
  const error = { ImportStack: ['kit/app', 'kit/math', 'kit/app'], Pos: '', Err: 'import cycle not allowed' };
  const { problems } = readGoList(list({ ...app, Error: error }), place);
  expect(problems).toMatchObject([
    {
      path: 'app/app.go',
      line: 1,
      message: 'import cycle not allowed: kit/app imports kit/math imports kit/app',
    },
  ]);
});

test('files of another platform are left out, and a directory of nothing else is no error', () => {
  const Err = 'build constraints exclude all Go files in /w/app';
  const only = { Dir: '/w/app', IgnoredGoFiles: ['app_windows.go'], Error: { Pos: '', Err } };
  const { problems, states } = readGoList(list(only), place);
  expect(problems).toEqual([]);
  expect(states.get('app/app_windows.go')).toEqual({ kind: 'left-out' });
});

test('a column counts bytes and a position UTF-16 units', () => {
  const problem = { path: 'a.go', line: 1, column: 10, message: 'm', source: 'compiler' } as const;
  expect(diagnosticOf(problem, '"é🙂" + x').range.start.character).toBe(6);
});
