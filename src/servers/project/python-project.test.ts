import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { PythonProject } from './python-project.ts';

function check(files: Readonly<Record<string, string>>, path: string): boolean | undefined {
  const texts = new Map(Object.entries(files));
  const all = new Set<string>();
  for (const file of texts.keys()) for (let at = file; at !== dirname(at); at = dirname(at)) all.add(at);
  const project = PythonProject.read('/w', 'basedpyright', {
    readText: (at) => texts.get(at),
    exists: (at) => all.has(at),
  });
  return project?.checks(path);
}

const json = (config: unknown) => ({ '/w/pyrightconfig.json': JSON.stringify(config) });
const toml = (text: string) => ({ '/w/pyproject.toml': text });

const cases: readonly [string, Readonly<Record<string, string>>, string, boolean | undefined][] = [
  ['no configuration takes every source', {}, '/w/a/b.py', true],
  ['stubs as well', {}, '/w/a/b.pyi', true],
  ['no other file', {}, '/w/a/b.txt', false],
  ['no hidden directory', {}, '/w/.hidden/b.py', false],
  ['no dependencies of Node', {}, '/w/a/node_modules/b.py', false],
  ['a directory called build or dist is a directory', {}, '/w/build/dist/b.py', true],
  ['a directory called venv is one', {}, '/w/venv/b.py', true],
  ['unless it is an environment', { '/w/venv/pyvenv.cfg': '' }, '/w/venv/lib/b.py', false],
  ['an environment of any name', { '/w/e/bin/activate': '' }, '/w/e/lib/b.py', false],
  ['include', json({ include: ['src'] }), '/w/src/a.py', true],
  ['outside include', json({ include: ['src'] }), '/w/tests/a.py', false],
  ['a name that only begins like it', json({ include: ['src'] }), '/w/src2/a.py', false],
  ['include with stars', json({ include: ['packages/*/src'] }), '/w/packages/x/src/a.py', true],
  [
    'stars do not cross directories',
    json({ include: ['packages/*/src'] }),
    '/w/packages/x/y/src/a.py',
    false,
  ],
  ['include one file', json({ include: ['src/a.py'] }), '/w/src/a.py', true],
  ['exclude', json({ exclude: ['**/gen'] }), '/w/src/gen/a.py', false],
  ['exclude by a pattern', json({ exclude: ['**/test_*.py'] }), '/w/x/test_a.py', false],
  ['defaults stay beside an exclude', json({ exclude: ['gen'] }), '/w/.hidden/a.py', false],
  ['pyproject', toml('[tool.pyright]\ninclude = ["src"]\n'), '/w/tests/a.py', false],
  ['pyproject of the descendant', toml('[tool.basedpyright]\ninclude = ["src"]\n'), '/w/tests/a.py', false],
  ['pyproject without a word', toml('[project]\nname = "x"\n'), '/w/tests/a.py', true],
  [
    'the file goes before the table',
    { ...toml('[tool.pyright]\ninclude = ["src"]\n'), ...json({}) },
    '/w/tests/a.py',
    true,
  ],
  ['a configuration above', { '/pyrightconfig.json': '{"exclude": ["w/gen"]}' }, '/w/gen/a.py', false],
  [
    'a base',
    { ...json({ extends: './base/all.json' }), '/w/base/all.json': '{"exclude": ["x"]}' },
    '/w/base/x/a.py',
    false,
  ],
  ['a configuration that cannot be read', { '/w/pyrightconfig.json': '{"include": [' }, '/w/a.py', undefined],
];

test.each(cases)('%s', (_, files, path, checked) => {
  expect(check(files, path)).toBe(checked);
});
