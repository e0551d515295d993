import { realpathSync, symlinkSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { LinkNames } from './link-names.ts';
import type { WorkspacePath } from './workspace-path.ts';

const files = { 'real/a.ts': '', 'real/deep/b.ts': '', 'other/c.ts': '' };

type Links = Readonly<Record<string, string>>;

/** The names of each file, after the links were made. */
async function namesWith(links: Links): Promise<Readonly<Record<string, readonly string[]>>> {
  await using scratch = await ScratchWorkspace.create(files);
  for (const [link, target] of Object.entries(links)) {
    await mkdir(dirname(scratch.at(link)), { recursive: true });
    symlinkSync(target, scratch.at(link));
  }
  const names = new LinkNames(scratch.workspace, Object.keys(links) as WorkspacePath[]);
  const found = Object.keys(files).map((path) => [path, names.of(path as WorkspacePath)] as const);
  for (const [path, others] of found)
    for (const name of others) expect(realpathSync(scratch.at(name))).toBe(realpathSync(scratch.at(path)));
  return Object.fromEntries(found.filter(([, others]) => others.length > 0));
}

test.each<[about: string, links: Links, expected: Readonly<Record<string, readonly string[]>>]>([
  ['a link to a file', { 'src/link.ts': '../real/a.ts' }, { 'real/a.ts': ['src/link.ts'] }],
  [
    'a link to a directory',
    { 'src/linked': '../real' },
    { 'real/a.ts': ['src/linked/a.ts'], 'real/deep/b.ts': ['src/linked/deep/b.ts'] },
  ],
  [
    'a link in a linked directory',
    { 'src/linked': '../real', 'real/inner': '../other' },
    {
      'real/a.ts': ['src/linked/a.ts'],
      'real/deep/b.ts': ['src/linked/deep/b.ts'],
      'other/c.ts': ['real/inner/c.ts', 'src/linked/inner/c.ts'],
    },
  ],
  [
    'a link to a link',
    { 'src/one': '../other', 'src/two': 'one' },
    { 'other/c.ts': ['src/one/c.ts', 'src/two/c.ts'] },
  ],
  ['a link to a directory around it', { 'real/loop': '..', 'other/self': '.' }, {}],
  ['links that lead outside or nowhere', { 'src/out': '../../..', 'src/gone.ts': '../no.ts' }, {}],
])('%s', async (_, links, expected) => {
  expect(await namesWith(links)).toEqual(expected);
});

test('what is missing without a directory are the links into it', async () => {
  await using scratch = await ScratchWorkspace.create(files);
  const links: Links = { 'one.ts': 'real/a.ts', two: 'real', 'three.ts': 'other/c.ts' };
  for (const [link, target] of Object.entries(links)) symlinkSync(target, scratch.at(link));
  const names = new LinkNames(scratch.workspace, Object.keys(links) as WorkspacePath[]);
  expect(names.into(scratch.workspace.path('real'))).toEqual(['one.ts']);
});

test('a file that is missing has the names that it will have', async () => {
  await using scratch = await ScratchWorkspace.create(files);
  const links: Links = { 'one.ts': 'real/new.ts', 'two.ts': 'one.ts', round: 'about', about: 'round' };
  for (const [link, target] of Object.entries(links)) symlinkSync(target, scratch.at(link));
  const names = new LinkNames(scratch.workspace, Object.keys(links) as WorkspacePath[]);
  expect(names.of(scratch.workspace.path('real/new.ts'))).toEqual(['one.ts', 'two.ts']);
});

test('however links lead into each other, the names end and none is wrong', async () => {
  const places = ['real', 'real/deep', 'other', 'l1', 'l2', 'real/l3', 'other/l4', 'real/deep/l5'];
  const target = fc.constantFrom(...places);
  const arbitrary = fc.record({ l1: target, l2: target, 'real/l3': target, 'other/l4': target });
  await fc.assert(
    fc.asyncProperty(arbitrary, async (targets) => {
      await using scratch = await ScratchWorkspace.create(files);
      for (const [link, to] of Object.entries(targets)) {
        await rm(scratch.at(link), { force: true });
        symlinkSync(scratch.at(to), scratch.at(link));
      }
      const names = new LinkNames(scratch.workspace, Object.keys(targets) as WorkspacePath[]);
      for (const path of Object.keys(files)) {
        for (const name of names.of(path as WorkspacePath))
          expect(realpathSync(scratch.at(name))).toBe(realpathSync(scratch.at(path)));
      }
    }),
    { numRuns: 40 },
  );
});
