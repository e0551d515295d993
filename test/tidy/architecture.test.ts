/** ARCHITECTURE.md describes the tree that is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from '../support/source-tree.ts';

const text = readFileSync('ARCHITECTURE.md', 'utf8');
const folders = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

test.each([
  ['what it holds', /^\| `([a-z-]+)\/` \|/gm],
  ['what it guarantees', /^- `([a-z-]+)\/`: /gm],
])('every folder is listed once with %s', (_, line) => {
  expect([...text.matchAll(line)].map(([, name]) => name).sort()).toEqual(folders);
});

test('every file that it names exists', async () => {
  const own = (await sourceFiles('src', 'web', 'test', 'scripts', 'bench')).map(({ path }) => path);
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|tsx|cjs|json|md|yml))`/g)].map(([, name = '']) => name);
  const isThere = (name: string): boolean =>
    existsSync(name) || existsSync(join('src', name)) || own.some((path) => path.endsWith(`/${name}`));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test('no folder holds more than 60 modules at one level', async () => {
  const counts = new Map<string, number>();
  for (const { path } of await sourceFiles('src', 'web')) {
    if (path.endsWith('.test.ts')) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(50);
  expect([...counts].filter(([, count]) => count > 60)).toEqual([]);
});
