import { expect, test } from 'vitest';
import { declarationFiles } from '../../../test/support/declaration-files.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { DeclarationIndex } from './declaration-index.ts';
import { mayMap, soughtName, writesEscaped } from './file-reference.ts';

const signal = new AbortController().signal;

const config = (options: object): string =>
  JSON.stringify({ compilerOptions: { module: 'esnext', moduleResolution: 'bundler', ...options } });

type Files = Readonly<Record<string, string>>;

/** What is said of other files when `path` comes with a text, or goes. */
async function proof(files: Files, path: string, after: string | undefined): Promise<string> {
  const texts = new Map(Object.entries({ 'tsconfig.json': config({}), ...files }));
  const index = new DeclarationIndex(declarationFiles(texts));
  const change = { before: texts.get(path), after };
  const found = await index.prove(new Map([[path as WorkspacePath, change]]), new Map(), signal);
  return found.kind === 'names' ? found.files.join(' ') : found.kind;
}

const made = 'export const made = 1;\n';

test.each<[what: string, files: Files, path: string]>([
  ['an import that found nothing', { 'a.ts': `import { other } from './made';` }, 'made.ts'],
  ['an import for its effect', { 'a.ts': `import './made';` }, 'made.ts'],
  ['the name of the output', { 'a.ts': `import { other } from './made.js';` }, 'made.ts'],
  [
    'a directory of the same name',
    { 'a.ts': `import { b } from './made';`, 'made/index.ts': 'export {}' },
    'made.ts',
  ],
  [
    'a file that was found in its place',
    { 'a.ts': `import { b } from './made';`, 'made.js': '' },
    'made.d.ts',
  ],
  ['a directory', { 'a.ts': `import { b } from './made';` }, 'made/index.ts'],
  [
    'a file of a directory that others import',
    { 'a.ts': `import { b } from '.';`, 'made/b.ts': '' },
    'made/index.ts',
  ],
  ['an import in the text of a type', { 'a.ts': `export type T = typeof import('./made');` }, 'made.ts'],
  ['a reference', { 'a.ts': `/// <reference path="made.ts" />\nexport {};` }, 'made.ts'],
  ['a comment of JavaScript', { 'a.js': `/** @type {import('./made').T} */\nexports.a = 1;` }, 'made.ts'],
  ['a specifier with escapes', { 'a.ts': `import { b } from './\\u006dade';` }, 'made.ts'],
  [
    'the augmentation of a module',
    { 'a.ts': `declare module './made' { interface A {} }\nexport {};` },
    'made.ts',
  ],
  [
    'an alias',
    { 'a.ts': `import { b } from '@/made';`, 'tsconfig.json': config({ paths: { '@/*': ['./src/*'] } }) },
    'src/made.ts',
  ],
  [
    'an alias for it alone',
    { 'a.ts': `import { b } from 'core';`, 'tsconfig.json': config({ paths: { core: ['./src/made'] } }) },
    'src/made.ts',
  ],
  [
    'a pattern that holds a part of its name',
    { 'a.ts': `import { b } from '@/ma';`, 'tsconfig.json': config({ paths: { '@/*': ['./src/*de'] } }) },
    'src/made.ts',
  ],
  [
    'a map of the package',
    { 'a.ts': `import { b } from '#x';`, 'package.json': '{"imports":{"#x":"./src/made.ts"}}' },
    'src/made.ts',
  ],
  [
    'an import below the root directory',
    { 'a.ts': `import { b } from 'src/made';`, 'tsconfig.json': config({ baseUrl: '.' }) },
    'src/made.ts',
  ],
  [
    'another root directory',
    { 'src/a.ts': `import { b } from './made';`, 'tsconfig.json': config({ rootDirs: ['src', 'gen'] }) },
    'gen/made.ts',
  ],
  [
    'a suffix',
    { 'a.ts': `import { b } from './made';`, 'tsconfig.json': config({ moduleSuffixes: ['-web', ''] }) },
    'made-web.ts',
  ],
  ['a configuration that cannot be read', { 'tsconfig.json': '{' }, 'made.ts'],
  ['the runtime of JSX', {}, 'src/jsx-runtime.ts'],
  ['helpers of the compiler', {}, 'tslib.ts'],
])('nothing is said of a file that is looked for by %s', async (_, files, path) => {
  expect(await proof(files, path, 'export const unrelated = 1;\n')).toBe('none');
});

test.each<[what: string, files: Files, path: string]>([
  ['of which nothing is said', { 'a.ts': 'export const a = 1;' }, 'made.ts'],
  [
    'whose name begins as another',
    { 'a.ts': `import { a } from './mad';`, 'mad.ts': 'export const a = 1;' },
    'made.ts',
  ],
  [
    'whose name continues another',
    { 'a.ts': `import { b } from './made';`, 'made.ts': 'export const b = 1;' },
    'made.test.ts',
  ],
  [
    'below a directory of a name',
    { 'a.ts': `import { b } from './made';`, 'made.ts': 'export const b = 1;' },
    'made/more.ts',
  ],
  [
    'in a new directory',
    { 'a.ts': `import { b } from './b';`, 'b.ts': 'export const b = 1;' },
    'made/index.ts',
  ],
  ['of a name that is a word elsewhere', { 'a.ts': `// made\nconst text = 'made';\nexport {};` }, 'made.ts'],
  [
    'of the same name in another directory',
    { 'a/a.ts': `import { b } from './made';`, 'a/made.ts': 'export const b = 1;' },
    'b/made.ts',
  ],
  [
    'with another alias',
    { 'a.ts': `import { b } from '@/b';`, 'tsconfig.json': config({ paths: { '@/*': ['./src/*'] } }) },
    'made.ts',
  ],
  [
    'beside scripts of its name',
    { 'a.ts': 'export {};', 'package.json': '{"scripts":{"made":"made"},"files":["made"]}' },
    'made.ts',
  ],
])('no other file sees one %s', async (_, files, path) => {
  expect(await proof(files, path, made)).toBe('declarations');
});

test('a file that goes is not looked for by what the change leaves, or has no proof', async () => {
  const files = { 'made.ts': made, 'a.ts': `import { made } from './made';\nexport const a = made;\n` };
  expect(await proof(files, 'made.ts', undefined)).toBe('none');
  const texts = new Map(
    Object.entries({ 'tsconfig.json': config({}), ...files, 'user.ts': `import { a } from './a';` }),
  );
  const index = new DeclarationIndex(declarationFiles(texts));
  const changes = new Map([
    ['made.ts' as WorkspacePath, { before: made, after: undefined }],
    ['a.ts' as WorkspacePath, { before: files['a.ts'], after: `export const a = 'text';\n` }],
  ]);
  expect(await index.prove(changes, new Map(), signal)).toMatchObject({
    kind: 'names',
    files: ['user.ts'],
    condition: 'same-files',
  });
});

test('a file that comes with its importer is seen by the users of that', async () => {
  const files = {
    'tsconfig.json': config({}),
    'a.ts': 'export const a = 1;\n',
    'user.ts': `import { a } from './a';`,
  };
  const index = new DeclarationIndex(declarationFiles(new Map(Object.entries(files))));
  const changes = new Map([
    ['made.ts' as WorkspacePath, { before: undefined, after: made }],
    [
      'a.ts' as WorkspacePath,
      { before: files['a.ts'], after: `import { made } from './made';\nexport const a = made;\n` },
    ],
  ]);
  expect(await index.prove(changes, new Map(), signal)).toMatchObject({ kind: 'names', files: ['user.ts'] });
});

test('a text of before that looked for a created file leaves no proof', async () => {
  const a = `import { made } from './made';\nexport const a = made;\n`;
  const files = { 'tsconfig.json': config({}), 'a.ts': a, 'user.ts': `import { a } from './a';` };
  const index = new DeclarationIndex(declarationFiles(new Map(Object.entries(files))));
  const changes = new Map([
    ['made.ts' as WorkspacePath, { before: undefined, after: made }],
    ['a.ts' as WorkspacePath, { before: a, after: `// more\n${a}` }],
  ]);
  expect(await index.prove(changes, new Map(), signal)).toMatchObject({ kind: 'none' });
});

test.each<[string, boolean, string | undefined]>([
  ['src/a.ts', false, 'a'],
  ['src/a.d.ts', false, 'a'],
  ['src/a.d.css.ts', false, 'a'],
  ['src/a.test.ts', false, 'a.test'],
  ['src/index.ts', false, undefined],
  ['src/index.ts', true, 'src'],
  ['index.ts', true, undefined],
])('%s in a directory that is new: %s is found by %s', (path, isNew, name) => {
  expect(soughtName(path as WorkspacePath, isNew)).toBe(name);
});

test.each<[string, boolean]>([
  ['{"main":"dist/made.js"}', true],
  ['{"exports":{".":{"types":"./made.d.ts"}}}', true],
  ['{"exports":{"./*":"./src/*.ts"}}', false],
  ['{"exports":{"./*":"./src/lib-*.ts"}}', true],
  ['{"name":"made","scripts":{"made":"made"}}', false],
  ['{"include":["src*/**"], "compilerOptions":{"lib":["made"]}}', false],
  ['{ // made\n}', false],
  ['{', true],
  ['{"extends":"./base.json"}', true],
  ['{"extends":["../tsconfig.base.json","@tsconfig/strictest/tsconfig.json"]}', false],
])('%s may lead to a file called made: %s', (text, expected) => {
  expect(mayMap(text, 'made')).toBe(expected);
});

test('a text with any number of blanks is read in the time of its length', () => {
  const blanks = ' '.repeat(200_000);
  expect(writesEscaped(`import ${blanks}x '\\u'`)).toBe(false);
  expect(writesEscaped(`import(${blanks}'./\\u006dade')`)).toBe(true);
});

test('a configuration beneath the change counts in place of that of the disk', async () => {
  const files = { 'tsconfig.json': config({}), 'a.ts': `import { b } from 'core';` };
  const index = new DeclarationIndex(declarationFiles(new Map(Object.entries(files))));
  const change = new Map([['src/made.ts' as WorkspacePath, { before: undefined, after: made }]]);
  const aliased = config({ paths: { core: ['./src/made'] } });
  const beneath = new Map([['tsconfig.json' as WorkspacePath, aliased]]);
  expect(await index.prove(change, new Map(), signal)).toMatchObject({ kind: 'declarations' });
  expect(await index.prove(change, beneath, signal)).toMatchObject({ kind: 'none' });
});
