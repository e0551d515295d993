import { describe, expect, test } from 'vitest';
import { declarationFiles } from '../../../test/support/declaration-files.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { DeclarationIndex } from './declaration-index.ts';
import type { EditProof } from './edit-proof.ts';

const signal = new AbortController().signal;

class Files {
  readonly texts: Map<string, string>;
  readonly index: DeclarationIndex;
  reads: string[] = [];

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = new Map(Object.entries(texts));
    this.index = new DeclarationIndex({
      ...declarationFiles(this.texts),
      readText: (path) => {
        this.reads.push(path);
        return this.texts.get(path);
      },
    });
  }

  prove(path: string, from: string, to: string): Promise<EditProof> {
    const before = this.texts.get(path) ?? '';
    const after = before.replace(from, to);
    return this.index.prove(new Map([[path as WorkspacePath, { before, after }]]), new Map(), signal);
  }

  /** The proof of an edit of `a.ts` on texts that the disk does not have; null: a removed file. */
  proveOn(beneath: Readonly<Record<string, string | null>>): Promise<EditProof> {
    const before = this.texts.get('a.ts') ?? '';
    const change = { before, after: before.replace('= 1', '= 3') };
    const shown = Object.entries(beneath).map(
      ([path, text]) => [path as WorkspacePath, text ?? undefined] as const,
    );
    return this.index.prove(new Map([['a.ts' as WorkspacePath, change]]), new Map(shown), signal);
  }

  tell(path: string, kind: FileEvent['kind']): void {
    this.index.invalidate([{ path: path as WorkspacePath, kind }]);
  }
}

const alpha = `export const alpha = 1; export const beta = 2; export default alpha;`;

describe('the files that can see a changed name', () => {
  /** `a.ts` exports `alpha`, which changes; the others are given. */
  async function check(files: Readonly<Record<string, string>>, expected: string): Promise<void> {
    const proof = await new Files({ 'a.ts': alpha, ...files }).prove('a.ts', 'alpha = 1', `alpha = 'x'`);
    expect(proof.kind === 'names' ? proof.files.join(' ') : proof.kind).toBe(expected);
  }

  test.each([
    [`import { alpha } from './a';`],
    [`import { alpha as other } from './a.js';`],
    [`import type { alpha } from './a.ts';`],
    [`import a from './a';`],
    [`import { default as a } from './a';`],
    [`import * as a from './a'; a.alpha;`],
    [`import * as a from './a'; console.log(a);`],
    [`import a = require('./a'); a.alpha;`],
    [`export { alpha } from './a';`],
    [`export * as a from './a';`],
    [`export type A = import('./a').alpha;`],
    [`export type A = typeof import('./a');`],
    [`export const later = () => import('./a');`],
    [`export const later = (path: string) => import(path);`],
    [`import { alpha } from '@scope/alias';`],
    [`import { \\u0061lpha } from './a';`],
  ])('are those that take it: %s', (text) => check({ 'b.ts': text }, 'b.ts'));

  test.each([
    [`import { beta } from './a';`],
    [`import * as a from './a'; a.beta;`],
    [`import './a';`],
    [`const alpha = 1; export { alpha };`],
    [`export * from './a';`],
    [`export type A = import('./a').beta;`],
  ])('are not those that take another: %s', (text) => check({ 'b.ts': text }, 'declarations'));

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a barrel passes the name on',
      { 'b.ts': `export * from './a';`, 'c.ts': `import { alpha } from './b';` },
      'c.ts',
    ],
    [
      'a barrel passes it on under another name',
      { 'b.ts': `export { alpha as gamma } from './a';`, 'c.ts': `import { gamma } from './b';` },
      'b.ts c.ts',
    ],
    [
      'a type is inferred from it',
      {
        'b.ts': `import { alpha } from './a'; export const b = [alpha];`,
        'c.ts': `import { b } from './b';`,
      },
      'b.ts c.ts',
    ],
    [
      'a declaration beside the one that uses it is not affected',
      {
        'b.ts': `import { alpha } from './a'; export const b = [alpha]; export const d = 1;`,
        'c.ts': `import { d } from './b';`,
      },
      'b.ts',
    ],
    [
      'a body with a written return type stops it',
      {
        'b.ts': `import { alpha } from './a'; export function b(): number { return alpha; }`,
        'c.ts': `import { b } from './b';`,
      },
      'b.ts',
    ],
    [
      'the same name of another file is told apart by a path that exists',
      { 'b.ts': `export const alpha = 1;`, 'c.ts': `import { alpha } from './b';` },
      'declarations',
    ],
    [
      'the same name of another file is not told apart without a path',
      { 'b.ts': `export const alpha = 1;`, 'c.ts': `import { alpha } from 'b';` },
      'c.ts',
    ],
    [
      'a directory with a manifest may stand for any file',
      {
        'b/index.ts': `export const alpha = 1;`,
        'b/package.json': `{ "types": "../a.ts" }`,
        'c.ts': `import { alpha } from './b';`,
      },
      'c.ts',
    ],
    [
      'JavaScript takes it from a comment',
      {
        'b.js': `/** @type {import('./a').alpha} */ export const b = 1;`,
        'c.ts': `import { b } from './b.js';`,
      },
      'b.js c.ts',
    ],
    [
      'CommonJS passes it on',
      { 'b.js': `module.exports = require('./a');`, 'c.ts': `import { alpha } from './b.js';` },
      'b.js c.ts',
    ],
    [
      'an augmentation that rests on it changes what it adds to',
      {
        'b.ts': `export interface B { x: 1 }`,
        'c.ts': `import { alpha } from './a'; declare module './b' { interface B { y: typeof alpha } }`,
        'd.ts': `import { B } from './b';`,
      },
      'b.ts c.ts d.ts',
    ],
    [
      'an augmentation of a library that rests on it has no bounds',
      { 'b.ts': `import { alpha } from './a'; declare module 'lib' { interface B { y: typeof alpha } }` },
      'none',
    ],
    [
      'a global that rests on it has no bounds',
      { 'b.ts': `import { alpha } from './a'; declare global { interface B { y: typeof alpha } }` },
      'none',
    ],
    [
      'a script that rests on it has no bounds',
      { 'b.d.ts': `interface B { y: typeof import('./a').alpha }` },
      'none',
    ],
    [
      'a module declared by the form of its name that rests on it has no bounds',
      { 'b.d.ts': `declare module '*.vue' { const v: typeof import('./a').alpha; export default v; }` },
      'none',
    ],
    [
      'a global beside statements that rest on it keeps its bounds',
      {
        'b.ts': `import { alpha } from './a'; declare global { interface B { y: 1 } var shared: B } if (alpha) shared.y;`,
      },
      'b.ts',
    ],
    [
      'a variable with the name of a module of Node may stand for any module',
      { 'b.ts': `const path = String('./a'); export const later = () => import(path);` },
      'b.ts',
    ],
    ['an importer that does not parse has no bounds', { 'b.ts': `import { alpha } from './a'; (` }, 'none'],
    ['`export =` has no bounds', { 'b.ts': `import { alpha } from './a'; export = alpha;` }, 'none'],
  ])('%s', (_promise, files, expected) => check(files, expected));
});

test('what a module passes on as a whole is followed when only its types are passed on', async () => {
  const files = new Files({
    'a.ts': alpha,
    'b.ts': `export * from './a';`,
    'c.ts': `export * as all from './a';`,
    'd.ts': `import { all } from './c';`,
  });
  expect(await files.prove('b.ts', '*', 'type *')).toMatchObject({ kind: 'none' });
  expect(await files.prove('c.ts', '*', 'type *')).toMatchObject({ kind: 'names', files: ['d.ts'] });
});

test('a namespace that a module is for every file has no bounds, by whatever name', async () => {
  const module = 'export as namespace One;\nexport const alpha: number;\n';
  const files = new Files({ 'a.d.ts': module, 'b.ts': 'export const b = One.alpha;' });
  expect(await files.prove('a.d.ts', 'One', 'Two')).toMatchObject({ kind: 'none' });
});

test('a name that is added may collide where modules are passed on whole', async () => {
  const files = new Files({ 'a.ts': alpha, 'b.ts': `export * from './a';`, 'c.ts': `export * from './b';` });
  const proof = await files.prove('a.ts', 'export const beta', 'export const gamma = 1; export const beta');
  expect(proof).toMatchObject({ kind: 'names', files: ['b.ts', 'c.ts'] });
});

test('every file with JSX uses a runtime that it does not name', async () => {
  const files = new Files({
    'runtime.ts': `export namespace JSX { export interface Element { x: 1 } }`,
    'b.tsx': `export const b = <div />;`,
    'c.ts': `import { b } from './b';`,
    'd.tsx': `export const d = 1;`,
  });
  const proof = await files.prove('runtime.ts', 'x: 1', 'x: 2');
  expect(proof).toMatchObject({ kind: 'names', files: ['b.tsx', 'c.ts'] });
});

test('those that import a changed name themselves come first', async () => {
  const files = new Files({
    'a.ts': alpha,
    'barrel.ts': `export * from './a';`,
    'b.ts': `import { alpha } from './barrel'; export const b = alpha;`,
    'c.ts': `import { b } from './b';`,
  });
  const proof = await files.prove('a.ts', 'alpha = 1', 'alpha = 3');
  expect(proof).toMatchObject({ kind: 'names', files: ['b.ts', 'c.ts'], direct: ['b.ts'] });
});

test('an edit that names another module holds only while programs keep their files', async () => {
  const files = new Files({ 'a.ts': alpha, 'b.ts': `export const b = 1;` });
  const proof = await files.prove('a.ts', 'export', `import './b'; export`);
  expect(proof).toEqual({ kind: 'declarations', condition: 'same-files' });
});

test.each<[string, Readonly<Record<string, { before?: string; after?: string }>>, string]>([
  ['created as JavaScript', { 'a.js': { after: 'export {}' } }, 'a.js is no TypeScript'],
  ['created as a script', { 'a.ts': { after: 'const a = 1;' } }, 'every file'],
  ['created and passes others on', { 'a.ts': { after: `export * from './b'` } }, 'passes on'],
  ['JavaScript', { 'a.js': { before: 'export {}', after: 'export const a = 1' } }, 'a.js is no TypeScript'],
  [
    'a library',
    { 'node_modules/a/a.d.ts': { before: 'export {}', after: 'export declare const a: 1' } },
    'node_modules/a/a.d.ts is no TypeScript of the workspace',
  ],
  ['data', { 'a.json': { before: '1', after: '2' } }, 'a.json is no TypeScript'],
  ['tslib', { 'tslib.ts': { before: 'export const a = 1', after: 'export const a = 2' } }, 'every file'],
])('a file that is %s has no proof', async (_kind, changes, why) => {
  const texts = Object.entries(changes).map(
    ([path, { before, after }]) => [path as WorkspacePath, { before, after }] as const,
  );
  const proof = await new Files({}).index.prove(new Map(texts), new Map(), signal);
  expect(proof).toMatchObject({ kind: 'none', why: expect.stringContaining(why) });
});

describe('texts beneath the edit count in place of those of the disk', () => {
  const onDisk = { 'a.ts': alpha, 'b.ts': `export {};`, 'd.ts': `import { alpha } from './a';` };

  test.each<[string, Readonly<Record<string, string | null>>, string]>([
    ['none differs', {}, 'd.ts'],
    ['a file begins to import', { 'b.ts': `import { alpha } from './a';` }, 'b.ts d.ts'],
    ['a file comes that imports', { 'e.ts': `import { alpha } from './a';` }, 'd.ts e.ts'],
    ['an importer stops', { 'd.ts': `export {};` }, 'declarations'],
    ['an importer goes', { 'd.ts': null }, 'declarations'],
    ['an importer does not parse', { 'd.ts': `import { alpha } from './a'; (` }, 'none'],
    [
      'a barrel comes',
      { 'e.ts': `export * from './a';`, 'f.ts': `import { alpha } from './e';` },
      'd.ts f.ts',
    ],
    [
      'a path stands for another file, which comes',
      { 'd.ts': `import { alpha } from './x';`, 'x.ts': `export const alpha = 1;` },
      'declarations',
    ],
    ['data is no importer', { 'data.json': '"alpha"' }, 'd.ts'],
  ])('%s', async (_case, beneath, expected) => {
    const files = new Files(onDisk);
    const proof = await files.proveOn(beneath);
    expect(proof.kind === 'names' ? proof.files.join(' ') : proof.kind).toBe(expected);
    // The same as with these texts on disk, and the disk is forgotten by neither.
    const there = Object.entries({ ...onDisk, ...beneath }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    expect(await new Files(Object.fromEntries(there)).proveOn({})).toEqual(proof);
    expect(await files.proveOn({})).toMatchObject({ files: ['d.ts'] });
  });
});

describe('the index follows the disk', () => {
  test('a file that begins to import is found once its change was told', async () => {
    const files = new Files({ 'a.ts': alpha, 'b.ts': `export {};` });
    expect((await files.prove('a.ts', '= 1', '= 3')).kind).toBe('declarations');
    files.texts.set('b.ts', `import { alpha } from './a';`);
    files.tell('b.ts', 'changed');
    expect(await files.prove('a.ts', '= 1', '= 3')).toMatchObject({ files: ['b.ts'] });
  });

  test('a file that comes may be what a path stands for', async () => {
    const files = new Files({
      'a.ts': alpha,
      'b.ts': `import { alpha } from './c';`,
      'tsconfig.json': `{ "compilerOptions": { "rootDirs": ["x", "y"] } }`,
    });
    expect(await files.prove('a.ts', '= 1', '= 3')).toMatchObject({ files: ['b.ts'] });
    files.texts.set('c.ts', `export const alpha = 1;`);
    files.tell('c.ts', 'created');
    expect((await files.prove('a.ts', '= 1', '= 3')).kind).toBe('declarations');
  });

  test('a directory that goes takes its files along', async () => {
    const files = new Files({ 'a.ts': alpha, 'd/b.ts': `import { alpha } from '../a';` });
    expect((await files.prove('a.ts', '= 1', '= 3')).kind).toBe('names');
    files.texts.delete('d/b.ts');
    files.tell('d', 'deleted');
    expect((await files.prove('a.ts', '= 1', '= 3')).kind).toBe('declarations');
  });

  test('lost events mean that all is read again', async () => {
    const files = new Files({ 'a.ts': alpha, 'b.ts': `export {};` });
    await files.index.refresh(signal);
    files.texts.set('b.ts', `import { alpha } from './a';`);
    files.index.invalidate([]);
    expect((await files.prove('a.ts', '= 1', '= 3')).kind).toBe('names');
  });

  test('a file is read once, and once more when it is parsed', async () => {
    const files = new Files({ 'a.ts': alpha, 'b.ts': `import { alpha } from './a';`, 'c.ts': `export {};` });
    for (const to of ['= 3', '= 4']) await files.prove('a.ts', '= 1', to);
    expect(files.reads.filter((path) => path.endsWith('.ts')).sort()).toEqual([
      'a.ts',
      'b.ts',
      'b.ts',
      'c.ts',
    ]);
  });
});
