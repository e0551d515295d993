import { describe, expect, test } from 'vitest';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { BareSpecifiers } from './bare-specifier.ts';
import type { InstalledPackage } from './installed-packages.ts';

const installed: Readonly<Record<string, InstalledPackage>> = {
  lib: { kind: 'library' },
  '@scope/lib': { kind: 'library' },
  core: { kind: 'workspace', directory: 'packages/core' },
  plugin: { kind: 'dependent' },
};

const sources = ['src/main.ts', 'src/named.ts', 'packages/core/index.ts', 'vendor/inner/a.ts'];
const manifest = '{ "name": "core", "types": "./index.ts" }';

/** What a specifier in `src/` may refer to: how files begin, and whether it may lead out. */
function check(specifier: string, files: Readonly<Record<string, string>>, expected: string): void {
  const texts = new Map(Object.entries({ 'packages/core/package.json': manifest, ...files }));
  const configs = [...texts].filter(([path]) => /(?:config|package)\.json$/.test(path));
  const bare = new BareSpecifiers({
    configs: new Map(configs) as Map<WorkspacePath, string>,
    packages: {
      find: (_, name) => installed[name] ?? { kind: 'missing' },
      textOf: (_, path) => texts.get(`node_modules/${path}`),
    },
    readText: (path) => texts.get(path),
    sources: sources as WorkspacePath[],
  });
  const { beginnings, mayLeave } = bare.targetOf('src', specifier);
  const inside = beginnings === 'any' ? 'any' : beginnings.join(' ');
  expect(`${inside} | ${mayLeave ? 'leaves' : 'stays'}`).toBe(expected);
}

const config = (options: object, more: object = {}): Readonly<Record<string, string>> => ({
  'tsconfig.json': JSON.stringify({ compilerOptions: options, ...more }),
});

const nothingInside = ' | leaves';
const anything = 'any | leaves';

describe('a bare specifier', () => {
  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['a library refers to no file', 'lib', config({}), nothingInside],
    ['a file of a library neither', '@scope/lib/deep/file', config({}), nothingInside],
    ['a module of Node neither', 'path', config({}), nothingInside],
    ['a linked package refers to its directory', 'core', config({}), 'packages/core/ | stays'],
    ['a library that needs the workspace refers to anything', 'plugin', config({}), anything],
    ['what is not installed refers to no file', 'unknown', config({}), nothingInside],
    ['unless a path may stand for it', 'named', config({}), anything],
    [
      'or a package of the workspace has its name',
      'late',
      { ...config({}), 'packages/late/package.json': '{ "name": "late" }' },
      'packages/late/ | leaves',
    ],
    ['an internal import refers to anything', '#inner', config({}), anything],
    ['a virtual module refers to anything', 'virtual:routes', config({}), anything],
    ['an alias of a library', 'lib', config({ paths: { lib: ['./src/stub'] } }), 'src/stub | leaves'],
    ['an alias of every name', 'lib', config({ paths: { '*': ['./types/*'] } }), 'types/lib | leaves'],
    [
      'an alias that is not installed',
      'app/a',
      config({ paths: { 'app/*': ['./src/*.ts'] } }),
      'src/a | stays',
    ],
    [
      'an alias of a linked package',
      'core',
      config({ paths: { core: ['./packages/core/src'] } }),
      'packages/core/src packages/core/ | stays',
    ],
    ['an alias that leads out', 'core', config({ paths: { core: ['../core'] } }), anything],
    [
      'an alias from the directory of whoever extends it',
      'core',
      config({ paths: { core: ['${configDir}/x'] } }),
      anything,
    ],
    ['a path that a base leads to', 'inner/a', config({ baseUrl: 'vendor' }), anything],
    ['a directory that a base leads to', 'inner', config({ baseUrl: 'vendor' }), anything],
    ['a file with the name of a library', 'named', config({}), anything],
    ['names that are also paths', 'named', config({ moduleResolution: 'Classic' }), anything],
    ['and by default with modules of ECMAScript', 'named', config({ module: 'es2020' }), anything],
    ['names that are packages alone', 'named', config({ moduleResolution: 'bundler' }), nothingInside],
    ['and by the format of modules', 'named', config({ module: 'NodeNext' }), nothingInside],
    [
      'one configuration that may resolve paths is enough',
      'named',
      {
        ...config({ moduleResolution: 'bundler' }),
        'old/tsconfig.json': '{ "compilerOptions": { "module": "amd" } }',
      },
      anything,
    ],
    ['types found elsewhere', 'lib', config({ typeRoots: ['./types'] }), anything],
    [
      'references, by which outputs stand for sources',
      'core',
      config({}, { references: [{ path: 'a' }] }),
      'any | stays',
    ],
    ['references leave libraries alone', 'lib', config({}, { references: [{ path: 'a' }] }), nothingInside],
    ['a configuration that does not parse', 'lib', { 'tsconfig.json': '{ "compilerOptions": ' }, anything],
    ['a configuration that extends what is not there', 'lib', config({}, { extends: './base' }), anything],
    ['one that extends what lies outside', 'lib', config({}, { extends: '../base.json' }), anything],
    ['plug and play', 'lib', { ...config({}), '.pnp.cjs': '' }, anything],
    [
      'a manifest that names a file elsewhere',
      'core',
      { 'packages/core/package.json': '{ "types": "../x.d.ts" }' },
      anything,
    ],
    [
      'a package of the same name',
      'lib',
      { 'packages/lib/package.json': '{ "name": "lib" }' },
      'packages/lib/ | leaves',
    ],
  ])('%s', (_, specifier, files, expected) => check(specifier, files, expected));

  test('an extended configuration counts, also that of a package', () => {
    const base = JSON.stringify({ compilerOptions: { paths: { lib: ['./stub'] } } });
    check('lib', { ...config({}, { extends: './base' }), 'base.json': base }, 'stub | leaves');
    const fromPackage = config({}, { extends: '@scope/base/tsconfig.json' });
    check('lib', { ...fromPackage, 'node_modules/@scope/base/tsconfig.json': base }, anything);
    const modern = JSON.stringify({ compilerOptions: { moduleResolution: 'node16' } });
    const classic = JSON.stringify({ compilerOptions: { moduleResolution: 'classic' } });
    const both = { 'base.json': classic, 'other.json': modern };
    check('named', { ...config({}, { extends: './other' }), 'other.json': modern }, nothingInside);
    check('named', { ...config({}, { extends: ['./base', './other'] }), ...both }, anything);
    const each = (at: number) => [
      `c${at}.json`,
      `{ "extends": ["./c${at + 1}.json", "./c${(at * 7) % 40}.json"] }`,
    ];
    const tangled = Object.fromEntries(Array.from({ length: 40 }, (_, at) => each(at)));
    check(
      'named',
      { ...config({}, { extends: './c0.json' }), ...tangled, 'c40.json': modern },
      nothingInside,
    );
  });
});
