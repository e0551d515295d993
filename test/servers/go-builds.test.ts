/** What a Go workspace is built from decides what is clean: modules, platforms, packages and their tests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Evaluation, verdictOf } from '../../src/evaluation/evaluation.ts';
import { editText, moveFile } from '../../src/overlay/overlay.ts';
import type { Scope } from '../../src/servers/projection.ts';
import { isOnPath } from '../support/on-path.ts';
import { calm, World } from '../support/world.ts';

type Files = Readonly<Record<string, string>>;

const files: Files = {
  'go.mod': 'module example.test/kit\n\ngo 1.21\n',
  'math/math.go':
    'package math\n\nfunc Add(a int, b int) int {\n\treturn a + b\n}\n\nfunc First[T any](all []T) T { return all[0] }\n',
  'app/app.go': 'package app\n\nimport "example.test/kit/math"\n\nvar Sum int = math.Add(1, 2)\n',
  'app/app_windows.go': 'package app\n\nvar Window = Sum\n',
  'app/tagged.go': '//go:build integration\n\npackage app\n\nvar Tagged = Sum\n',
  'app/outer_test.go':
    'package app_test\n\nimport (\n\t"testing"\n\n\t"example.test/kit/app"\n)\n\nfunc TestSum(t *testing.T) { _ = app.Sum }\n',
  'old/old.go': 'package old\n\nvar One string = 1\nvar Two string = 2\n',
  'lone/lone.go': 'package lone\n\nvar Lone = 1\n',
  'lone/user.go': 'package lone\n\nvar User = Lone\n',
  'cmd/main.go': 'package main\n\nfunc main() {}\n',
  'testdata/input.go': 'package input\n\nvar Input = 1\n',
  '_examples/show/main.go':
    'package main\n\nimport "example.test/kit/shown"\n\nfunc main() { println(shown.Twice(2)) }\n',
  '_examples/lost/main.go':
    'package main\n\nimport (\n\t"example.test/kit/shown"\n\t"example.test/not/here"\n)\n\nfunc main() { here.Now(shown.Twice("a")) }\n',
  'alone/alone.go': 'package alone\n\nvar Alone = 1\n',
  '_examples/alone/main.go':
    'package main\n\nimport "example.test/kit/alone"\n\nfunc main() { println(alone.Alone) }\n',
  'shown/shown.go': 'package shown\n\nfunc Twice(a int) int { return a + a }\n',
  'shown/more.go': 'package shown\n\nvar More = 1\n',
  'embed/embed.go': 'package embed\n\nimport _ "embed"\n\n//go:embed text.txt\nvar Text string\n',
  'embed/text.txt': 'text\n',
  'nested/go.mod': 'module example.test/nested\n\ngo 1.21\n',
  'nested/kit/kit.go': 'package kit\n\nfunc Kit() int { return 1 }\n',
  'nested/use.go': 'package nested\n\nimport "example.test/nested/kit"\n\nvar Use int = kit.Kit()\n',
};

describe.skipIf(!isOnPath('gopls'))('a Go workspace', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const judge = async (change: Change, scope: Scope = 'workspace'): Promise<Evaluation> => {
    const session = await world.session('go');
    await session.transform(async (overlay) => {
      let changed = overlay;
      for (const [name, after] of Object.entries(change)) {
        const path = world.workspace.path(name);
        if (after === 'deleted') changed = changed.remove(path);
        else if ('renamed' in after)
          changed = await moveFile(changed, path, world.workspace.path(after.renamed));
        else if ('text' in after) changed = changed.writeText(path, after.text);
        else changed = await editText(changed, path, (text) => text.replace(after.replace, after.by));
      }
      return changed;
    }, calm);
    const evaluation = await world.evaluate(session, scope);
    await world.sessions.destroy(session.id);
    return evaluation;
  };

  const broken: readonly [string, Change, readonly string[]][] = [
    ['a file renamed to a test', { 'lone/lone.go': { renamed: 'lone/lone_test.go' } }, ['lone/user.go']],
    [
      'a file renamed to another platform',
      { 'lone/lone.go': { renamed: 'lone/lone_windows.go' } },
      ['lone/user.go'],
    ],
    [
      'a file that leaves the build by a constraint',
      { 'lone/lone.go': { replace: 'package', by: '//go:build windows\n\npackage' } },
      ['lone/user.go'],
    ],
    [
      'a test that cannot be called as one',
      { 'app/outer_test.go': { replace: 'TestSum(t', by: 'TestSum(n int, t' } },
      ['app/outer_test.go'],
    ],
    [
      'another package clause in a test of a package that others import',
      { 'math/more_test.go': { text: 'package other\n' } },
      ['math/more_test.go'],
    ],
    ['an older language version', { 'go.mod': { replace: 'go 1.21', by: 'go 1.16' } }, ['math/math.go']],
    ['a module file that cannot be read', { 'go.mod': { replace: 'module', by: 'modul' } }, ['go.mod']],
    [
      'an import cycle',
      {
        'math/math.go': {
          replace: 'package math\n',
          by: 'package math\n\nimport _ "example.test/kit/app"\n',
        },
      },
      ['app/app.go'],
    ],
    [
      'a function without a body',
      { 'lone/lone.go': { replace: 'var Lone', by: 'func F()\n\nvar Lone' } },
      ['lone/lone.go'],
    ],
    [
      'a directive without the package that it needs',
      { 'embed/embed.go': { replace: 'import _ "embed"\n', by: '' } },
      ['embed/embed.go'],
    ],
    [
      'a directive on a variable that cannot hold a file',
      { 'embed/embed.go': { replace: 'Text string', by: 'Text int' } },
      ['embed/embed.go'],
    ],
    [
      'a program without main',
      { 'cmd/main.go': { replace: 'func main', by: 'func other' } },
      ['cmd/main.go'],
    ],
    [
      'what only the tests of another package use',
      {
        'app/app.go': { replace: 'var Sum', by: 'var Total' },
        'app/app_windows.go': { replace: 'Sum', by: 'Total' },
        'app/tagged.go': { replace: 'Sum', by: 'Total' },
      },
      ['app/outer_test.go'],
    ],
    [
      'a file of a nested module',
      { 'nested/kit/kit.go': { replace: 'int { return 1 }', by: 'string { return "" }' } },
      ['nested/use.go'],
    ],
    [
      'the name of a nested module',
      { 'nested/go.mod': { replace: 'test/nested', by: 'test/other' } },
      ['nested/use.go'],
    ],
  ];

  test.each(broken)('%s breaks what the compiler says', async (_, change, expected) => {
    const evaluation = await judge(change);
    const errors = evaluation.introduced.filter(({ diagnostic }) => diagnostic.severity === 'error');
    expect([...new Set(errors.map(({ path }) => path))]).toEqual(expected);
  });

  test('a program that does not compile has no error of the linker', async () => {
    const { introduced } = await judge({ 'cmd/main.go': { replace: 'func main() {}', by: 'var a = b' } });
    expect(introduced.map(({ diagnostic }) => diagnostic.message)).toEqual(['undefined: b']);
  });

  test('after an import cycle that was never saved the server still answers', async () => {
    await judge({
      'math/math.go': { replace: 'package math\n', by: 'package math\n\nimport _ "example.test/kit/app"\n' },
    });
    const evaluation = await judge({ 'math/math.go': { replace: '// never', by: '' } });
    expect(evaluation).toMatchObject({ introduced: [], resolved: [] });
    const wrong = await judge({ 'math/math.go': { replace: 'b int) int', by: 'b int64) int' } });
    expect(wrong.introduced.map(({ path }) => path)).toEqual(['math/math.go']);
  });

  const unchecked: readonly [string, Change][] = [
    ['of another platform', { 'app/app_windows.go': { replace: 'Sum', by: 'Missing' } }],
    ['behind a tag', { 'app/tagged.go': { replace: 'Sum', by: 'Missing' } }],
    ['of testdata', { 'testdata/input.go': { replace: '= 1', by: 'string = 1' } }],
  ];

  test.each(unchecked)('a file %s is reported apart, in both scopes', async (_, change) => {
    for (const scope of ['file', 'workspace'] as const) {
      const evaluation = await judge(change, scope);
      expect(verdictOf(evaluation).kind).toBe('unknown');
      expect(evaluation.doubts.join(' ')).toMatch(/No build here checks/);
    }
  });

  const onlyExamples: readonly [string, Change][] = [
    ['its parameter', { 'shown/shown.go': { replace: 'a int', by: 'a []int' } }],
    ['its name', { 'shown/shown.go': { replace: 'Twice', by: 'Double' } }],
    ['its file, to a test', { 'shown/shown.go': { renamed: 'shown/shown_test.go' } }],
  ];

  test.each(onlyExamples)(
    '%s is missed in a package that must be named, which is said',
    async (_, change) => {
      const evaluation = await judge(change);
      const beside = evaluation.introduced.filter(({ path }) => path.startsWith('_examples/'));
      expect([...new Set(beside.map(({ path }) => path))]).toEqual(['_examples/show/main.go']);
      expect(evaluation.confidence).not.toBe('high');
      expect(evaluation.doubts.join(' ')).toContain('leave out _examples/show/main.go');
    },
  );

  test('a package that must be named and compiles no more is never clean', async () => {
    const evaluation = await judge({ 'alone/alone.go': { renamed: 'alone/alone_test.go' } });
    expect(verdictOf(evaluation).kind).not.toBe('clean');
    expect(evaluation.doubts.join(' ')).toContain('leave out _examples/alone/main.go');
  });

  test('what a package that must be named does not see is clean', async () => {
    const evaluation = await judge({ 'shown/shown.go': { replace: 'return a + a', by: 'return 2 * a' } });
    expect(verdictOf(evaluation).kind).toBe('clean');
    const own = await judge({ '_examples/show/main.go': { replace: '(2)', by: '(3)' } });
    expect(verdictOf(own).kind).toBe('clean');
    const wrong = await judge({ '_examples/show/main.go': { replace: '(2)', by: '("2")' } });
    expect(verdictOf(wrong).kind).toBe('broken');
  });

  test('a warning in a package that must be named fails no build', async () => {
    const warned = await judge({
      '_examples/show/main.go': { replace: 'println(shown.Twice(2))', by: 'var a = shown.Twice(2); a = a' },
    });
    expect(warned.introduced).not.toEqual([]);
    expect(warned).toMatchObject({ errorsDelta: 0, confidence: 'high' });
    expect(verdictOf(warned).kind).toBe('clean');
  });

  test('a file that this build leaves out does not make a change beside it unknown', async () => {
    const evaluation = await judge({ 'app/app.go': { replace: 'var Sum', by: '// The sum.\nvar Sum' } });
    expect(verdictOf(evaluation).kind).toBe('clean');
  });

  test('errors that vanish behind a syntax error are not resolved', async () => {
    for (const scope of ['file', 'workspace'] as const) {
      const evaluation = await judge({ 'old/old.go': { replace: 'var One', by: 'var (\nvar One' } }, scope);
      expect(evaluation.resolved).toEqual([]);
      expect(evaluation.netDelta).toBeGreaterThan(0);
    }
  });

  test('files that come and go in right places are clean', async () => {
    const evaluation = await judge({
      'lone/more.go': { text: 'package lone\n\nvar More = User\n' },
      'cmd/main.go': { renamed: 'cmd/start.go' },
    });
    expect(evaluation).toMatchObject({ introduced: [], confidence: 'high' });
    expect(verdictOf(evaluation).kind).toBe('clean');
  });
});

test.skipIf(!isOnPath('gopls'))('what is vendored is judged with its list', async () => {
  await using world = await World.open({
    'go.mod': 'module example.test/kit\n\ngo 1.21\n\nrequire example.test/dep v1.0.0\n',
    'vendor/modules.txt': '# example.test/dep v1.0.0\n## explicit\nexample.test/dep\n',
    'vendor/example.test/dep/dep.go': 'package dep\n\nvar Dep = 1\n',
    'lone/lone.go': 'package lone\n\nimport "example.test/dep"\n\nvar Lone int = dep.Dep\n',
  });
  const session = await world.session('go');
  const path = world.workspace.path('vendor/modules.txt');
  await session.transform(async (overlay) => overlay.writeText(path, ''), calm);
  const evaluation = await world.evaluate(session, 'workspace');
  expect(evaluation.introduced.map((finding) => finding.path)).toEqual(['vendor/modules.txt']);
  const source = await world.session('go');
  await world.replace(source, 'vendor/example.test/dep/dep.go', { replace: 'Dep = 1', with: 'Dep = "1"' });
  const broken = await world.evaluate(source, 'workspace');
  expect(broken.introduced.map((finding) => finding.path)).toEqual(['lone/lone.go']);
});

type Change = Readonly<
  Record<
    string,
    | 'deleted'
    | { readonly renamed: string }
    | { readonly text: string }
    | { readonly replace: string; readonly by: string }
  >
>;
