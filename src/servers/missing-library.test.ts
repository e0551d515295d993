import { expect, test } from 'vitest';
import type { ReachFamily } from '../graph/reach/reach-family.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import { missingLibraries, missingLibraryDoubt, unbuiltLibraries } from './missing-library.ts';
import type { FileDiagnostics } from './proof.ts';

function answer(path: string, code: string | number, message: string): FileDiagnostics {
  const at = parseWorkspacePath(path);
  if (at === undefined) throw new Error('not a path');
  const place = { line: 0, character: 0 };
  const range = { start: place, end: place };
  return { path: at, diagnostics: [{ range, severity: 'error', code, message }], proof: { kind: 'pulled' } };
}

const own = new Set([
  'shop',
  'shop/model.py',
  'tools.py',
  'src/core',
  'include/own.h',
  'app/node_modules/@types/mocha',
]);

const cases: readonly [ReachFamily, string, string | number, string, readonly string[]][] = [
  ['python', 'a.py', 'reportMissingImports', 'Import "attr" could not be resolved', ['attr']],
  ['python', 'a.py', 'reportMissingImports', 'Import "attr.setters" could not be resolved', ['attr.setters']],
  // A stub was found for it, and pyright takes every type from the stub, installed or not.
  ['python', 'a.py', 'reportMissingModuleSource', 'Import "yaml" could not be resolved from source', []],
  ['python', 'x/a.py', 'reportMissingImports', 'Import ".near" could not be resolved', []],
  ['python', 'x/a.py', 'reportMissingImports', 'Import "shop.gone" could not be resolved', []],
  ['python', 'shop/app/a.py', 'reportMissingImports', 'Import "model.gone" could not be resolved', []],
  ['python', 'x/a.py', 'reportMissingImports', 'Import "tools" could not be resolved', []],
  ['python', 'x/a.py', 'reportMissingImports', 'Import "core.gone" could not be resolved', []],
  ['python', 'a.py', 'reportArgumentType', 'Argument of type "attr" cannot be assigned', []],
  [
    'ecmascript',
    'a.ts',
    2307,
    "Cannot find module 'react' or its corresponding type declarations.",
    ['react'],
  ],
  [
    'ecmascript',
    'a.ts',
    7016,
    "Could not find a declaration file for module '@a/b'. 'x' implicitly",
    ['@a/b'],
  ],
  // Installed, with types that its manifest does not offer for this kind of import: there is nothing to install.
  [
    'ecmascript',
    'a.ts',
    7016,
    "Could not find a declaration file for module 'b'. '/w/node_modules/b/index.mjs' implicitly has an 'any' type.\n  There are types at '/w/node_modules/b/index.d.ts', but this result could not be resolved when respecting package.json \"exports\".",
    [],
  ],
  [
    'ecmascript',
    'a.ts',
    7016,
    "Could not find a declaration file for module 'b'. '/w/b/dist/index.mjs' implicitly has an 'any' type.\n  There are types at '/w/b/index.d.ts', but this result could not be resolved when respecting package.json \"exports\".",
    ['b'],
  ],
  ['ecmascript', 'a.ts', 2307, "Cannot find module './near' or its corresponding type declarations.", []],
  ['ecmascript', 'a.ts', 2307, "Cannot find module '@/near' or its corresponding type declarations.", []],
  [
    'ecmascript',
    'a.ts',
    2591,
    "Cannot find name 'process'. Do you need to install type definitions for node? Try `npm i --save-dev @types/node` and then",
    ['@types/node'],
  ],
  [
    'ecmascript',
    'a.ts',
    2582,
    "Cannot find name 'describe'. Do you need to install type definitions for a test runner? Try `npm i --save-dev @types/jest` or `npm i --save-dev @types/mocha`.",
    ['@types/jest'],
  ],
  // Installed, and left out by the configuration.
  [
    'ecmascript',
    'app/a.ts',
    2593,
    "Cannot find name 'describe'. Do you need to install type definitions for a test runner? Try `npm i --save-dev @types/jest` or `npm i --save-dev @types/mocha` and then",
    [],
  ],
  [
    'go',
    'a.go',
    'BrokenImport',
    'could not import github.com/a/b (no required module provides package "github.com/a/b")',
    ['github.com/a/b'],
  ],
  ['go', 'a.go', 'BrokenImport', 'could not import shop/gone (package shop/gone is not in std)', []],
  ['c', 'a.cpp', 'pp_file_not_found', "'zlib.h' file not found", ['zlib.h']],
  ['c', 'a.cpp', 'pp_file_not_found', "'own.h' file not found", []],
];

test.each(cases)('%s: %s %s %s names %j', (family, path, code, message, names) => {
  expect(missingLibraries(family, [answer(path, code, message)], (at) => own.has(at))).toEqual(names);
});

test.each<[ReachFamily, string, string]>([
  ['python', 'uv.lock', 'uv sync'],
  ['python', 'requirements.txt', 'pip install -r requirements.txt'],
  ['python', '', 'pip install attr yaml'],
  ['ecmascript', 'pnpm-lock.yaml', 'pnpm install'],
  ['ecmascript', '', 'npm install'],
])('%s with %j is told %s', (family, file, command) => {
  const known = { isInWorkspace: (path: string) => path === file, unbuilt: new Set<string>() };
  expect(missingLibraryDoubt(family, ['attr.setters', 'yaml'], known)).toContain(command);
});

test('a package that is linked and not built is to be built, not installed', () => {
  const missing = (path: string, name: string) =>
    answer(path, 2307, `Cannot find module '${name}' or its corresponding type declarations.`);
  const answers = [
    missing('packages/app/main.ts', '@shop/kit/cart'),
    missing('packages/app/main.ts', 'react'),
  ];
  const isInWorkspace = (path: string) => path === 'packages/app/node_modules/@shop/kit';
  const unbuilt = unbuiltLibraries('ecmascript', answers, isInWorkspace);
  expect(missingLibraryDoubt('ecmascript', ['@shop/kit/cart', 'react'], { isInWorkspace, unbuilt })).toBe(
    'Not installed here, so what flows from them was not checked: react. Run npm install. Installed without declarations, so what flows from them was not checked: @shop/kit/cart. Build them.',
  );
});
