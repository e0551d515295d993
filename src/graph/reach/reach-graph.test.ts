import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseWorkspacePath, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { ReachFamily } from './reach-family.ts';
import { ReachGraph } from './reach-graph.ts';

type Texts = Readonly<Record<string, string>>;

function at(path: string): WorkspacePath {
  return parseWorkspacePath(path) ?? rootPath;
}

function graphOf(family: ReachFamily, texts: Texts): ReachGraph {
  const graph = new ReachGraph(family);
  for (const [path, text] of Object.entries(texts)) graph.update(at(path), text);
  return graph;
}

/** The reach of `overlay` over a workspace of `texts`; an overlay text of null is a deleted file. */
function reach(family: ReachFamily, texts: Texts, overlay: Readonly<Record<string, string | null>>) {
  const shown = new Map(Object.entries(overlay).map(([path, text]) => [at(path), text ?? undefined]));
  return graphOf(family, texts).dependentsOf([...shown.keys()], shown);
}

interface Case {
  readonly texts: Texts;
  readonly overlay: Readonly<Record<string, string | null>>;
  readonly files: readonly string[];
}

function check(family: ReachFamily, cases: Readonly<Record<string, Case>>): void {
  test.each(Object.entries(cases))('%s', (_, { texts, overlay, files }) => {
    expect(reach(family, texts, overlay)).toMatchObject({ files: [...files].sort(), complete: true });
  });
}

const edited = 'export {};';
const other = { 'other.ts': `export const o = 1;` };

describe('TypeScript: an edit reaches those who import it', () => {
  check('ecmascript', {
    'directly and through others, and nobody else': {
      texts: {
        'a.ts': `export {};`,
        'b.ts': `export * from './a.js';`,
        'c.ts': `import './b.ts';`,
        'd.ts': `import './unrelated.js'`,
        ...other,
      },
      overlay: { 'a.ts': edited },
      files: ['a.ts', 'b.ts', 'c.ts'],
    },
    'around a cycle': {
      texts: { 'a.ts': `import './b';`, 'b.ts': `import './a';`, ...other },
      overlay: { 'a.ts': edited },
      files: ['a.ts', 'b.ts'],
    },
    'as the index of its directory': {
      texts: { 'lib/index.ts': edited, 'a.ts': `import './lib';`, 'lib/x/b.ts': `import '..';`, ...other },
      overlay: { 'lib/index.ts': edited },
      files: ['a.ts', 'lib/index.ts', 'lib/x/b.ts'],
    },
    'but not the index when a file of that name is meant': {
      texts: { 'x/index.ts': edited, 'x.ts': edited, 'a.ts': `import './x.js';` },
      overlay: { 'x/index.ts': edited },
      files: ['x/index.ts'],
    },
    'in every dress of the file': {
      texts: {
        'a.d.ts': edited,
        'data.json': '{}',
        'style.d.css.ts': edited,
        'user.service.ts': edited,
        '1.ts': `import './a.js';`,
        '2.ts': `import './data.json';`,
        '3.ts': `import './style.css';`,
        '4.ts': `import './user.service';`,
      },
      overlay: { 'a.d.ts': edited, 'data.json': '[]', 'style.d.css.ts': edited, 'user.service.ts': edited },
      files: ['1.ts', '2.ts', '3.ts', '4.ts', 'a.d.ts', 'data.json', 'style.d.css.ts', 'user.service.ts'],
    },
    'before the change, though the overlay drops the import': {
      texts: { 'a.ts': edited, 'b.ts': `import './a';`, 'c.ts': `import './b';`, ...other },
      overlay: { 'a.ts': edited, 'b.ts': edited },
      files: ['a.ts', 'b.ts', 'c.ts'],
    },
    'after the change, though only the overlay adds the import': {
      texts: { 'a.ts': edited, 'b.ts': edited, 'c.ts': `import './b';`, ...other },
      overlay: { 'a.ts': edited, 'b.ts': `import './a';` },
      files: ['a.ts', 'b.ts', 'c.ts'],
    },
    'when it is new and was missing': {
      texts: { 'b.ts': `import './a.js';`, ...other },
      overlay: { 'a.ts': edited },
      files: ['a.ts', 'b.ts'],
    },
    'when it is deleted, with those behind it': {
      texts: { 'a.ts': edited, 'b.ts': `import './a.js';`, 'c.ts': `import './b.js';`, ...other },
      overlay: { 'a.ts': null },
      files: ['b.ts', 'c.ts'],
    },
    'when it is renamed, under both names': {
      texts: { 'old.ts': edited, 'b.ts': `import './old.js';`, 'c.ts': `import './new.js';`, ...other },
      overlay: { 'old.ts': null, 'new.ts': edited },
      files: ['b.ts', 'c.ts', 'new.ts'],
    },
    'by a path that an alias leads to': {
      texts: { 'src/deep/a.ts': edited, 'b.ts': `import '@app/deep/a';`, 'c.ts': `import '~/deep/z';` },
      overlay: { 'src/deep/a.ts': edited },
      files: ['b.ts', 'src/deep/a.ts'],
    },
    'by an alias that is named otherwise': {
      texts: {
        'tsconfig.json': `{ // why\n "compilerOptions": { "paths": { "@core": ["./src/core/main.ts"], }, } }`,
        'src/core/main.ts': edited,
        'src/cli/main.ts': edited,
        'b.ts': `import '@core';`,
      },
      overlay: { 'src/core/main.ts': edited },
      files: ['b.ts', 'src/core/main.ts'],
    },
    'by an alias with a hole in the middle': {
      texts: {
        'tsconfig.json': `{ "compilerOptions": { "paths": { "@pkg/*": ["packages/*/src/entry.ts"] } } }`,
        'packages/x/src/entry.ts': edited,
        'b.ts': `import '@pkg/x';`,
        ...other,
      },
      overlay: { 'packages/x/src/entry.ts': edited },
      files: ['b.ts', 'packages/x/src/entry.ts'],
    },
    'by the name of its package, and by what that exports': {
      texts: {
        'packages/x/package.json': `{ "name": "@w/x", "exports": { ".": "./dist/start.js", "./t": { "types": "./dist/impl.d.ts" } } }`,
        'packages/x/src/start.ts': edited,
        'packages/x/src/impl.ts': edited,
        'b.ts': `import '@w/x';`,
        'c.ts': `import '@w/x/t';`,
        'd.ts': `import '@w/y';`,
      },
      overlay: { 'packages/x/src/start.ts': edited, 'packages/x/src/impl.ts': edited },
      files: ['b.ts', 'c.ts', 'packages/x/src/impl.ts', 'packages/x/src/start.ts'],
    },
    'by the name of a package that names no entry': {
      texts: {
        'packages/x/package.json': `{ "name": "x" }`,
        'packages/x/index.ts': edited,
        'b.ts': `import 'x';`,
        'c.ts': `import './packages/x';`,
        ...other,
      },
      overlay: { 'packages/x/index.ts': edited },
      files: ['b.ts', 'c.ts', 'packages/x/index.ts'],
    },
    'by a private import of its package': {
      texts: {
        'package.json': `{ "imports": { "#db": "./src/database.js" } }`,
        'src/database.ts': edited,
        'b.ts': `import '#db';`,
        ...other,
      },
      overlay: { 'src/database.ts': edited },
      files: ['b.ts', 'src/database.ts'],
    },
    'across merged roots and without the suffix of a platform': {
      texts: {
        'tsconfig.json': `{ "compilerOptions": { "rootDirs": ["src", "./made"], "moduleSuffixes": [".ios", ""] } }`,
        'made/a.ts': edited,
        'src/c.ios.ts': edited,
        'src/b.ts': `import './a.js';`,
        'src/d.ts': `import './c';`,
        ...other,
      },
      overlay: { 'made/a.ts': edited, 'src/c.ios.ts': edited },
      files: ['made/a.ts', 'src/b.ts', 'src/c.ios.ts', 'src/d.ts'],
    },
    'whatever the case it is written in': {
      texts: { 'Alpha.ts': edited, 'b.ts': `import './alpha';`, ...other },
      overlay: { 'Alpha.ts': edited },
      files: ['Alpha.ts', 'b.ts'],
    },
  });
});

describe('what everything depends on reaches everything', () => {
  const texts = {
    'a.ts': edited,
    'b.ts': edited,
    'sub/c.ts': edited,
    'types.d.ts': `import './b';\ndeclare global {}`,
  };
  const all = Object.keys(texts);
  test.each<[overlay: Record<string, string | null>, files: readonly string[]]>([
    [{ 'package.json': '{"type":"module"}' }, [...all, 'package.json']],
    [{ 'node_modules/x/index.d.ts': edited }, [...all, 'node_modules/x/index.d.ts']],
    [{ 'types.d.ts': `declare const x: number;` }, all],
    [{ 'types.d.ts': null }, all.filter((path) => path !== 'types.d.ts')],
    [{ 'a.ts': `const nowAScript = 1;` }, all],
    [{ 'b.ts': `export const behindAGlobal = 1;` }, all],
    [{ 'new.d.ts': `declare const y: number;` }, [...all, 'new.d.ts']],
  ])('%j', (overlay, files) => {
    const { files: found, complete, why } = reach('ecmascript', texts, overlay);
    expect({ found, complete, why }).toEqual({
      found: [...files].sort(),
      complete: true,
      why: expect.any(String),
    });
  });

  test.each<[before: string | undefined, after: string | null, complete: boolean]>([
    ['{"compilerOptions":{}}', '{"compilerOptions":{"strict":true}}', true],
    ['{"include":["src"]}', '{"include":["src"],"compilerOptions":{"strict":true}}', true],
    ['{"include":["src"]}', '{"include":["src","old"]}', false],
    ['{}', '{"compilerOptions":{"checkJs":true}}', false],
    ['{}', '{"extends":"./base.json"}', false],
    ['{}', '{ not JSON', false],
    [undefined, '{}', false],
    ['{}', null, false],
  ])('tsconfig.json from %s to %s: the answer is whole: %s', (before, after, complete) => {
    const disk = before === undefined ? texts : { ...texts, 'tsconfig.json': before };
    const found = reach('ecmascript', disk, { 'tsconfig.json': after });
    expect(found.files).toEqual([...all, ...(after === null ? [] : ['tsconfig.json'])].sort());
    expect(found).toMatchObject({ complete, why: expect.any(String) });
  });

  test('what a package is called by counts, its scripts and version do not', () => {
    const disk = { ...texts, 'package.json': '{"name":"kit","version":"1.0.0"}' };
    const bumped = reach('ecmascript', disk, { 'package.json': '{"name":"kit","version":"1.0.1"}' });
    expect(bumped).toMatchObject({ files: ['package.json'], complete: true });
    const importing = { ...disk, 'reads.ts': "import data from './package.json';\nexport default data;" };
    const same = reach('ecmascript', importing, { 'package.json': '{"name":"kit","version":"1.0.1"}' });
    expect(same.files).toEqual(['package.json']);
    const shaped = reach('ecmascript', importing, { 'package.json': '{"name":"kit","version":2}' });
    expect(shaped.files).toEqual(['package.json', 'reads.ts']);
    const named = reach('ecmascript', disk, { 'package.json': '{"name":"set","version":"1.0.0"}' });
    expect(named.files).toEqual([...all, 'package.json'].sort());
  });

  test.each<[family: ReachFamily, path: string]>([
    ['python', 'pyrightconfig.json'],
    ['python', 'pyproject.toml'],
    ['go', 'go.mod'],
    ['c', 'build/compile_commands.json'],
    ['crate', 'src/any.rs'],
    ['all', 'any.zig'],
  ])('%s: %s', (family, path) => {
    expect(reach(family, { one: 'x', 'sub/two': 'y' }, { [path]: 'z' }).files).toEqual(
      ['one', 'sub/two', path].sort(),
    );
  });
});

test('a configuration that cannot be read makes the answer incomplete and says so', () => {
  const texts = { 'tsconfig.json': '{ "compilerOptions": ', 'a.ts': edited };
  expect(reach('ecmascript', texts, { 'a.ts': edited })).toMatchObject({
    files: ['a.ts'],
    complete: false,
    why: expect.stringContaining('tsconfig.json'),
  });
});

test('a library that an installation touched is no configuration that cannot be read', () => {
  const texts = {
    'tsconfig.json': '{}',
    'node_modules/kit/index.d.ts': 'export interface Kit {}',
    'node_modules/kit/test/broken/package.json': '{ "name": ',
    'a.ts': edited,
  };
  expect(reach('ecmascript', texts, { 'a.ts': edited })).toEqual({ files: ['a.ts'], complete: true });
});

test('nothing changed reaches nothing', () => {
  expect(reach('ecmascript', { 'a.ts': 'const script = 1;' }, {})).toEqual({ files: [], complete: true });
});

describe('Python: an edit reaches those who import it', () => {
  check('python', {
    'absolutely, from any search root': {
      texts: {
        'src/app/models/user.py': '',
        'a.py': 'from app.models.user import User',
        'b.py': 'import app.models.user as u',
        'c.py': 'from app.models import user',
        'd.py': 'from other.models.user import User',
      },
      overlay: { 'src/app/models/user.py': 'x = 1' },
      files: ['a.py', 'b.py', 'c.py', 'src/app/models/user.py'],
    },
    'relatively, exactly': {
      texts: {
        'p/m.py': '',
        'p/a.py': 'from . import m',
        'p/b.py': 'from .m import x',
        'p/q/c.py': 'from ..m import x',
        'p/q/d.py': 'from .m import x',
      },
      overlay: { 'p/m.py': 'x = 1' },
      files: ['p/a.py', 'p/b.py', 'p/m.py', 'p/q/c.py'],
    },
    'through a package that hands names on': {
      texts: {
        'p/__init__.py': 'from .m import x',
        'p/m.py': '',
        'a.py': 'from p import x',
        'b.py': 'import q',
      },
      overlay: { 'p/m.py': 'x = 1' },
      files: ['a.py', 'p/__init__.py', 'p/m.py'],
    },
    'as a package on the way to another module': {
      texts: { 'p/__init__.py': '', 'p/m.py': '', 'a.py': 'import p.m', 'b.py': 'import q' },
      overlay: { 'p/__init__.py': 'x = 1' },
      files: ['a.py', 'p/__init__.py'],
    },
    'through a star that may bring a submodule': {
      texts: {
        'p/__init__.py': '__all__ = ["m"]',
        'p/m.py': '',
        'a.py': 'from p import *',
        'b.py': 'import q',
      },
      overlay: { 'p/m.py': 'x = 1' },
      files: ['a.py', 'p/m.py'],
    },
    'as a stub': {
      texts: { 'stubs/p-stubs/m.pyi': '', 'a.py': 'import p.m', 'b.py': 'import q' },
      overlay: { 'stubs/p-stubs/m.pyi': 'x: int' },
      files: ['a.py', 'stubs/p-stubs/m.pyi'],
    },
    'when it is the first file of a namespace package': {
      texts: { 'a.py': 'import p', 'b.py': 'import q' },
      overlay: { 'p/m.py': '' },
      files: ['a.py', 'p/m.py'],
    },
    'when the workspace lies inside its package': {
      texts: { 'm.py': '', '__init__.py': '', 'a.py': 'import outer.m', 'b.py': 'from . import x' },
      overlay: { 'm.py': 'x = 1' },
      files: ['a.py', 'm.py'],
    },
    'when it now hides a module of the same name': {
      texts: { 'a.py': 'import json', 'b.py': 'import q' },
      overlay: { 'json.py': '' },
      files: ['a.py', 'json.py'],
    },
  });
});

describe('Go: an edit reaches its package and those who import it', () => {
  check('go', {
    'by directory and by the last name of the path': {
      texts: {
        'go.mod': 'module example.com/shop/v2\n',
        'root.go': 'package shop',
        'cart/cart.go': 'package cart',
        'cart/price.go': 'package cart',
        'web/web.go': 'package web\nimport "example.com/shop/v2/cart"',
        'cmd/main.go': 'package main\nimport "example.com/shop/v2/web"',
        'lone/lone.go': 'package lone',
      },
      overlay: { 'cart/price.go': 'package cart // edited' },
      files: ['cart/cart.go', 'cart/price.go', 'cmd/main.go', 'web/web.go'],
    },
    'by the name of the module, at its root': {
      texts: {
        'go.mod': 'module example.com/shop/v2\n',
        'root.go': 'package shop',
        'cmd/main.go': 'package main\nimport "example.com/shop/v2"',
        'lone/lone.go': 'package lone',
      },
      overlay: { 'root.go': 'package shop // edited' },
      files: ['cmd/main.go', 'root.go'],
    },
    'when it is embedded': {
      texts: { 'a/a.go': 'package a\n//go:embed t/*.txt\nvar s string', 'b/b.go': 'package b' },
      overlay: { 'a/t/x.txt': null },
      files: ['a/a.go'],
    },
  });
});

describe('Go: a file that is not compiled', () => {
  const texts = { 'a/a.go': 'package a', 'b/b.go': 'package b\n//go:embed t\nvar s string' };
  check('go', {
    'reaches no source beside it': { texts, overlay: { 'a/README.md': null }, files: [] },
    'reaches the one that may embed it': { texts, overlay: { 'b/t/x.png': null }, files: ['b/b.go'] },
  });
});

describe('Rust: a file that is no source', () => {
  const texts = {
    'src/lib.rs': 'const A: &str = include_str!("../docs\\Read.md");',
    'src/other.rs': 'fn f() {}',
  };
  check('crate', {
    'reaches every source if one includes it': {
      texts,
      overlay: { 'docs/read.md': null },
      files: ['src/lib.rs', 'src/other.rs'],
    },
    'reaches none if no source names it': { texts, overlay: { 'docs/other.md': null }, files: [] },
    'reaches every source if there is a build script': {
      texts: { ...texts, 'build.rs': 'fn main() {}' },
      overlay: { 'docs/other.md': null },
      files: ['build.rs', 'src/lib.rs', 'src/other.rs'],
    },
    'reaches every source if a macro embeds directories': {
      texts: { 'src/lib.rs': '#[derive(RustEmbed)] #[folder = "static"] struct Assets;' },
      overlay: { 'static/a.png': null },
      files: ['src/lib.rs'],
    },
  });
});

describe('C: an edit reaches those who include it', () => {
  check('c', {
    'by the last name, through other headers': {
      texts: {
        'include/lib/a.h': '',
        'include/lib/b.h': '#include <lib/a.h>',
        'src/c.c': '#include "../include/lib/b.h"',
        'src/d.c': '#include <stdio.h>',
      },
      overlay: { 'include/lib/a.h': '// edited' },
      files: ['include/lib/a.h', 'include/lib/b.h', 'src/c.c'],
    },
    'when a macro spells the inclusion': {
      texts: { 'a.h': '', 'b.c': '#include HEADER', 'c.c': '' },
      overlay: { 'a.h': '// edited' },
      files: ['a.h', 'b.c'],
    },
    'when the compiler is told to include it everywhere': {
      texts: {
        'compile_commands.json': '[{"arguments": ["cc", "-include", "/w/pch.h", "b.c"]}]',
        'pch.h': '',
        'b.c': '',
        'c.c': '',
      },
      overlay: { 'pch.h': '// edited' },
      files: ['b.c', 'c.c', 'pch.h'],
    },
  });
});

/** Modules in nested directories, each importing some of the others by a relative path. */
const modules = fc
  .record({
    directories: fc.array(fc.constantFrom('', 'a/', 'a/b/', 'c/', 'a/c/'), { minLength: 1, maxLength: 12 }),
    edges: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 24 }),
    changed: fc.array(fc.nat(11), { minLength: 1, maxLength: 3 }),
  })
  .map(({ directories, edges, changed }) => {
    const clip = (place: number) => place % directories.length;
    return {
      names: directories.map((directory, place) => `${directory}m${place}`),
      edges: edges.map(([from, to]) => [clip(from), clip(to)] as const),
      changed: [...new Set(changed.map(clip))],
    };
  });

/** The transitive importers of `changed`, computed the slow and plain way. */
function trueDependents(
  edges: ReadonlyArray<readonly [number, number]>,
  changed: readonly number[],
): Set<number> {
  const reached = new Set(changed);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const [from, to] of edges) if (reached.has(to)) reached.add(from);
  }
  return reached;
}

function relative(from: string, to: string): string {
  const up = from.split('/').length - 1;
  return `${up === 0 ? './' : '../'.repeat(up)}${to}`;
}

const dialects: ReadonlyArray<{
  family: ReachFamily;
  extension: string;
  write: (from: string, to: string) => string;
  head: string;
}> = [
  {
    family: 'ecmascript',
    extension: '.ts',
    head: 'export {};\n',
    write: (a, b) => `import '${relative(a, b)}.js';`,
  },
  {
    family: 'ecmascript',
    extension: '.tsx',
    head: 'export {};\n',
    write: (a, b) => `export * from "${relative(a, b)}"`,
  },
  {
    family: 'ecmascript',
    extension: '/index.ts',
    head: 'export {};\n',
    write: (a, b) => `import '../${relative(a, b)}';`,
  },
  {
    family: 'python',
    extension: '.py',
    head: '',
    write: (a, b) => `from ${'.'.repeat(a.split('/').length)}${b.replaceAll('/', '.')} import x`,
  },
  { family: 'python', extension: '.py', head: '', write: (_, b) => `import ${b.replaceAll('/', '.')}` },
];

test.each(dialects)('the closure is exactly the transitive importers ($family, $extension)', (dialect) => {
  fc.assert(
    fc.property(modules, ({ names, edges, changed }) => {
      const path = (place: number) => `${names[place]}${dialect.extension}`;
      const texts = Object.fromEntries(
        names.map((name, place) => {
          const imports = edges.filter(([from]) => from === place);
          return [
            path(place),
            dialect.head + imports.map(([, to]) => dialect.write(name, names[to] ?? '')).join('\n'),
          ];
        }),
      );
      const overlay = Object.fromEntries(changed.map((place) => [path(place), texts[path(place)] ?? '']));
      const expected = [...trueDependents(edges, changed)].map(path).sort();
      expect(reach(dialect.family, texts, overlay).files).toEqual(expected);
    }),
  );
});

const edges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 16 });

test.each(dialects)(
  'between two overlays: all importers on either side, whatever the disk has ($family, $extension)',
  (dialect) => {
    const gone = fc.array(fc.nat(11), { maxLength: 3 });
    fc.assert(
      fc.property(
        modules,
        edges,
        edges,
        gone,
        ({ names, edges: onDisk, changed }, beneath, above, removed) => {
          const clip = (pairs: ReadonlyArray<readonly [number, number]>) =>
            pairs.map(([from, to]) => [from % names.length, to % names.length] as const);
          const path = (place: number) => at(`${names[place]}${dialect.extension}`);
          const text = (place: number, pairs: ReadonlyArray<readonly [number, number]>) =>
            dialect.head +
            pairs
              .filter(([from]) => from === place)
              .map(([, to]) => dialect.write(names[place] ?? '', names[to] ?? ''))
              .join('\n');
          const places = [...names.keys()];
          const missing = new Set(removed.map((place) => place % names.length));
          const disk = Object.fromEntries(
            places.filter((place) => !missing.has(place)).map((place) => [path(place), text(place, onDisk)]),
          );
          const before = new Map(places.map((place) => [path(place), text(place, clip(beneath))]));
          const after = new Map(before);
          for (const place of changed) after.set(path(place), text(place, clip(above)));
          const found = graphOf(dialect.family, disk).dependentsBetween(changed.map(path), { before, after });
          const later = clip(above).filter(([from]) => changed.includes(from));
          const expected = [...trueDependents([...clip(beneath), ...later], changed)].map(path);
          expect(found).toMatchObject({ files: expect.arrayContaining(expected), complete: true });
        },
      ),
    );
  },
);

test('what two overlays alter alike reaches no file; a configuration among it does', () => {
  const graph = graphOf('ecmascript', {
    'a.ts': edited,
    'b.ts': `import './a.js';`,
    'c.ts': edited,
    'd.ts': `import './c.js';`,
    'tsconfig.json': '{}',
  });
  const files = (beneath: Readonly<Record<string, string>>) => {
    const before = new Map(Object.entries(beneath).map(([path, text]) => [at(path), text]));
    const after = new Map(before).set(at('a.ts'), 'export const a = 1;');
    return graph.dependentsBetween([at('a.ts')], { before, after }).files;
  };
  expect(files({ 'c.ts': 'export const c = 1;' })).toEqual(['a.ts', 'b.ts']);
  expect(files({ 'c.ts': `import './a.js';` })).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts']);
  const aliased = { 'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./*"]}}}' };
  expect(files(aliased)).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts', 'tsconfig.json']);
});

test('a graph brought up to date answers like one built anew', () => {
  fc.assert(
    fc.property(modules, fc.array(fc.tuple(fc.nat(11), fc.nat(11))), ({ names, edges, changed }, later) => {
      const text = (place: number, all: ReadonlyArray<readonly [number, number]>) =>
        `export {};\n${all
          .filter(([from]) => from === place)
          .map(([from, to]) => `import '${relative(names[from] ?? '', names[to] ?? '')}';`)
          .join('\n')}`;
      const built = (all: ReadonlyArray<readonly [number, number]>) =>
        Object.fromEntries(names.map((name, place) => [`${name}.ts`, text(place, all)]));
      const next = later.map(([from, to]) => [from % names.length, to % names.length] as const);
      const graph = graphOf('ecmascript', built(edges));
      for (const [path, content] of Object.entries(built(next))) graph.update(at(path), content);
      const paths = changed.map((place) => at(`${names[place]}.ts`));
      expect(graph.dependentsOf(paths, new Map())).toEqual(
        graphOf('ecmascript', built(next)).dependentsOf(paths, new Map()),
      );
    }),
  );
});

describe('files that others import, and the libraries they import', () => {
  const graph = graphOf('python', {
    'a.py': 'import attr\nfrom . import b\n',
    'b.py': 'import os, pkg.c\n',
    'pkg/__init__.py': '',
    'pkg/c.py': 'from yaml.nodes import Node\n',
    'd.py': 'import numpy\n',
  });

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, readonly string[]>>]>([
    ['pkg/c.py', {}, { 'pkg/c.py': ['yaml'] }],
    ['b.py', {}, { 'b.py': ['os'], 'pkg/__init__.py': [], 'pkg/c.py': ['yaml'] }],
    ['a.py', {}, { 'a.py': ['attr'], 'b.py': ['os'], 'pkg/__init__.py': [], 'pkg/c.py': ['yaml'] }],
    ['pkg/__init__.py', {}, { 'pkg/__init__.py': [] }],
    ['pkg/__init__.py', { 'pkg/__init__.py': 'import d\n' }, { 'pkg/__init__.py': [], 'd.py': ['numpy'] }],
  ])('%s with %j', (path, overlay, expected) => {
    const texts = new Map(Object.entries(overlay).map(([name, text]) => [at(name), text]));
    expect(Object.fromEntries(graph.importedBy([at(path)], texts))).toEqual(expected);
  });
});
