import { mkdir, mkdtemp, realpath, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Workspace } from '../../workspace/workspace.ts';
import { FileInventory, type Inventory } from './file-inventory.ts';

const calm = new AbortController().signal;
let root = '';

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-census-')));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

class Kept {
  readonly rows = new Map<string, { path: string; stamp: string; value: string }>();
  saved: string[] = [];
  load(): Iterable<{ path: string; stamp: string; value: string }> {
    return this.rows.values();
  }
  save(changed: readonly { path: string; stamp: string; value: string }[], gone: readonly string[]): void {
    for (const row of changed) this.rows.set(row.path, row);
    for (const path of gone) this.rows.delete(path);
    this.saved = changed.map(({ path }) => path).sort();
  }
}

async function inventoryOf(kept = new Kept()): Promise<FileInventory> {
  const workspace = await Workspace.open(root);
  const isSource = (path: string): boolean => path.endsWith('.ts');
  const isRead = (path: string): boolean => isSource(path) || path.endsWith('.json');
  return new FileInventory({ workspace, family: 'ecmascript', isSource, isRead }, kept);
}

const shape = (inventory: Inventory | undefined): unknown =>
  inventory && {
    sources: [...inventory.sources.keys()].sort(),
    others: [...inventory.others.keys()].sort(),
    packages: inventory.packages,
  };

const changes = (inventory: Inventory | undefined): readonly string[] =>
  (inventory?.changes ?? []).map(({ path, kind }) => `${kind} ${path}`).sort();

test('names what a server could read, output and hidden directories included', async () => {
  for (const path of [
    'a.ts',
    'dist/b.d.ts',
    '.hidden/c.ts',
    'tsconfig.json',
    'node_modules/x/index.ts',
    '.git/d.ts',
    'e.md',
  ]) {
    await write(path, '');
  }
  expect(shape(await (await inventoryOf()).scan(calm))).toEqual({
    sources: ['.hidden/c.ts', 'a.ts', 'dist/b.d.ts'],
    others: ['tsconfig.json'],
    packages: ['node_modules'],
  });
});

test('sees every change at once: files that come, go, move and change, even in the same tick and size', async () => {
  await write('a.ts', 'let a = 1;');
  await write('d/b.ts', 'b');
  const inventory = await inventoryOf();
  await inventory.scan(calm);
  await write('a.ts', 'let a = 2;');
  await write('d/e/f/c.ts', 'c');
  expect(changes(await inventory.scan(calm))).toEqual(['changed a.ts', 'created d/e/f/c.ts']);
  await rename(join(root, 'd/e'), join(root, 'e'));
  expect(changes(await inventory.scan(calm))).toEqual(['created e/f/c.ts', 'deleted d/e/f/c.ts']);
  await rm(join(root, 'd'), { recursive: true });
  await write('e/g.ts', 'g');
  expect(changes(await inventory.scan(calm))).toEqual(['created e/g.ts', 'deleted d/b.ts']);
  expect(changes(await inventory.scan(calm))).toEqual([]);
});

test('a change with its times set back is seen too', async () => {
  await write('a.ts', 'let a = 1;');
  const past = new Date(Date.now() - 3_600_000);
  await utimes(join(root, 'a.ts'), past, past);
  const inventory = await inventoryOf();
  await inventory.scan(calm);
  await write('a.ts', 'let a = 2;');
  await utimes(join(root, 'a.ts'), past, past);
  expect(changes(await inventory.scan(calm))).toEqual(['changed a.ts']);
});

test('the next process reads only what was written to since', async () => {
  await write('a.ts', 'a');
  await write('b.ts', 'b');
  const kept = new Kept();
  const before = await (await inventoryOf(kept)).scan(calm);
  expect(kept.saved).toEqual(['a.ts', 'b.ts']);
  await write('b.ts', 'bb');
  const after = await (await inventoryOf(kept)).scan(calm);
  expect(kept.saved).toEqual(['b.ts']);
  const [a] = [...(after?.sources.keys() ?? [])];
  expect(a && after?.sources.get(a)).toEqual(a && before?.sources.get(a));
});

test('there is none where a link leads to sources outside', async () => {
  await write('inside/a.ts', 'a');
  await symlink(join(root, 'inside'), join(root, 'link'));
  const inventory = await inventoryOf();
  expect(shape(await inventory.scan(calm))).toMatchObject({ sources: ['inside/a.ts'], others: ['link'] });
  await symlink(tmpdir(), join(root, 'away'));
  expect(await inventory.scan(calm)).toBeUndefined();
});

test('says when something changed that no watcher tells of', async () => {
  await write('package.json', '{}');
  await write('.gitignore', 'dist');
  await write('dist/a.d.ts', 'a');
  const inventory = await inventoryOf();
  const first = await inventory.scan(calm);
  await write('b.ts', 'b');
  expect((await inventory.scan(calm))?.unwatchedChangeMs).toBe(first?.unwatchedChangeMs);
  await rm(join(root, 'dist'), { recursive: true });
  expect((await inventory.scan(calm))?.unwatchedChangeMs).toBeGreaterThan(first?.unwatchedChangeMs ?? 0);
});
