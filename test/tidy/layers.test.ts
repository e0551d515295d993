import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const layers: Readonly<Record<string, readonly string[]>> = require('../../.layers.cjs');

test('the layer table has a row for every folder', () => {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(Object.keys(layers).sort());
});

test('every arrow of the layer table is used: one that is not needed any more goes', () => {
  const unused = Object.entries(layers).flatMap(([folder, allowed]) => {
    const used = importedFolders(folder);
    return allowed.filter((each) => !used.has(each)).map((each) => `${folder} > ${each}`);
  });
  expect(unused).toEqual([]);
});

test('no folder holds more than 60 files at one level', () => {
  const overfull = directoriesBelow('src')
    .map((path) => ({ path, files: sourcesIn(path).length }))
    .filter(({ files }) => files > 60);
  expect(overfull).toEqual([]);
});

function importedFolders(folder: string): ReadonlySet<string> {
  const imported = new Set<string>();
  for (const directory of directoriesBelow(`src/${folder}`)) {
    for (const file of sourcesIn(directory)) {
      const text = readFileSync(`${directory}/${file}`, 'utf8');
      for (const [, specifier = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
        const [, top = ''] = posix.join(directory, specifier).split('/');
        imported.add(top);
      }
    }
  }
  return imported;
}

function directoriesBelow(path: string): readonly string[] {
  const inside = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [path, ...inside.flatMap(({ name }) => directoriesBelow(`${path}/${name}`))];
}

function sourcesIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
}
