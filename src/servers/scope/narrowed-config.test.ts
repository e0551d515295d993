import { expect, test } from 'vitest';
import { parseWorkspacePath } from '../../workspace/workspace-path.ts';
import { narrowedConfig, projectConfigs } from './narrowed-config.ts';

type Files = Readonly<Record<string, string>>;

function narrow(files: Files, path = 'tsconfig.json'): unknown {
  const read = (place: string): string | undefined => files[place];
  const configs = Object.keys(files)
    .filter((name) => !name.startsWith('node_modules/'))
    .map(parseWorkspacePath)
    .filter((name) => name !== undefined);
  const projects = projectConfigs(configs, read);
  const text = narrowedConfig(path, ['out', 'lib/*.ts'], { projects, read });
  return text === undefined ? undefined : JSON.parse(text).exclude;
}

test.each<readonly [string, Files, readonly string[] | undefined]>([
  ['nothing left out before', { 'tsconfig.json': '{}' }, ['out', 'lib/*.ts']],
  [
    'comments, trailing commas and what was left out',
    { 'tsconfig.json': '{ /* why */ "exclude": ["old",], } // end' },
    ['old', 'out', 'lib/*.ts'],
  ],
  [
    'output is left out where nothing else is said',
    { 'tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "declarationDir": "types" } }' },
    ['dist', 'types', 'out', 'lib/*.ts'],
  ],
  [
    'what a base leaves out, seen from here',
    {
      'tsconfig.json': '{ "extends": "./config/base" }',
      'config/base.json': '{ "exclude": ["gen", "../x"] }',
    },
    ['config/gen', 'x', 'out', 'lib/*.ts'],
  ],
  [
    'the last of several bases counts',
    {
      'tsconfig.json': '{ "extends": ["./a.json", "./b.json"] }',
      'a.json': '{ "exclude": ["a"] }',
      'b.json': '{ "exclude": ["b"] }',
    },
    ['b', 'out', 'lib/*.ts'],
  ],
  [
    'a base that comes with a library',
    { 'tsconfig.json': '{ "extends": "@base/strict" }', 'node_modules/@base/strict/tsconfig.json': '{}' },
    ['out', 'lib/*.ts'],
  ],
  [
    'inherited by nobody who would notice',
    { 'tsconfig.json': '{}', 'tsconfig.build.json': '{ "extends": "./tsconfig.json" }' },
    ['out', 'lib/*.ts'],
  ],
  ['a base that is not found', { 'tsconfig.json': '{ "extends": "@base/none" }' }, undefined],
  ['bases in a circle', { 'tsconfig.json': '{ "extends": "./tsconfig.json" }' }, undefined],
  ['no JSON', { 'tsconfig.json': '{ "include": [' }, undefined],
  ['a composite project', { 'tsconfig.json': '{ "compilerOptions": { "composite": true } }' }, undefined],
  [
    'inherited by another project',
    { 'tsconfig.json': '{}', 'p/tsconfig.json': '{ "extends": "../tsconfig.json" }' },
    undefined,
  ],
  [
    'inherited by a project that is referred to',
    {
      'tsconfig.json': '{ "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json': '{ "extends": "./tsconfig.json" }',
    },
    undefined,
  ],
])('%s', (_, files, expected) => {
  expect(narrow(files)).toEqual(expected);
});

test('patterns are told from where the configuration lies', () => {
  const files = { 'app/tsconfig.json': '{ "exclude": ["old"] }' };
  expect(narrow(files, 'app/tsconfig.json')).toEqual(['old', '../out', '../lib/*.ts']);
});

test('everything else is as it was', () => {
  const files = {
    'tsconfig.json': '{ "include": ["src"], "compilerOptions": { "strict": true }, "references": [] }',
  };
  const read = (path: string): string | undefined => (path === 'tsconfig.json' ? files[path] : undefined);
  const text = narrowedConfig('tsconfig.json', ['out'], { projects: new Set(['tsconfig.json']), read });
  expect(JSON.parse(text ?? '')).toEqual({
    include: ['src'],
    compilerOptions: { strict: true },
    references: [],
    exclude: ['out'],
  });
});
