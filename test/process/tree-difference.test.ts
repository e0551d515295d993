import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from '../../src/git/file-state.ts';
import { GitRepository } from '../../src/git/git-repository.ts';
import { ObjectReader } from '../../src/git/object-reader.ts';
import { treeDifference } from '../../src/git/tree-difference.ts';
import { GitWorkspace } from '../support/git-workspace.ts';
import { calm } from '../support/world.ts';

/** What stands at a path: text of a file or a program, a link, or a commit of another repository. */
type Content = { readonly kind: 'file' | 'program' | 'link' | 'submodule'; readonly text: string };

/** Names that are a directory in one state and a file in the next, sort in other ways than text, or need quotes. */
const path = fc.constantFrom('a', 'a/b', 'a/b/c', 'a-b', 'a.b', 'a0', 'd/e', 'd', 'd/ü "x"', 'z/\n');
const content = fc.record({
  kind: fc.constantFrom('file', 'program', 'link', 'submodule'),
  text: fc.constantFrom('1', '2'),
});
const state = fc.uniqueArray(fc.tuple(path, content), { selector: ([name]) => name, maxLength: 8 });

async function commit(
  workspace: GitWorkspace,
  files: ReadonlyArray<readonly [string, Content]>,
): Promise<string> {
  await workspace.git('rm', '-q', '-r', '--cached', '--ignore-unmatch', '.');
  await workspace.git('clean', '-q', '-fdx');
  const names = files.map(([name]) => name);
  for (const [name, { kind, text }] of files) {
    // A file and a directory of the same name cannot be in one tree.
    if (names.some((other) => other.startsWith(`${name}/`))) continue;
    const at = workspace.at(name);
    await mkdir(dirname(at), { recursive: true });
    if (kind === 'submodule') {
      const entry = `160000,${text.repeat(40)},${name}`;
      await workspace.git('update-index', '--add', '--cacheinfo', entry);
      continue;
    }
    await rm(at, { recursive: true, force: true });
    if (kind === 'link') await symlink(text, at);
    else await writeFile(at, text, { mode: kind === 'program' ? 0o755 : 0o644 });
    await workspace.git('add', '--', name);
  }
  await workspace.git('commit', '-q', '--allow-empty', '-m', 'state');
  return (await workspace.git('rev-parse', 'HEAD')).trim();
}

test('the difference of two trees is what git says', async () => {
  await using workspace = await GitWorkspace.create({ first: 'first\n' });
  const repository = await GitRepository.at(workspace.root, process.env, calm);
  const env = { ...process.env, GIT_DIR: repository.gitDirectory };
  await using reader = new ObjectReader(workspace.root, env);
  await fc.assert(
    fc.asyncProperty(state, state, async (one, other) => {
      const pair = { from: await commit(workspace, one), to: await commit(workspace, other) };
      const byPath = (a: { readonly path: string }, b: { readonly path: string }) =>
        a.path < b.path ? -1 : 1;
      const expected = [...(await changesBetween(repository, pair, calm))].sort(byPath);
      expect(await treeDifference(reader, pair, calm)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

test('an object that is not here is named', async () => {
  await using workspace = await GitWorkspace.create({ first: 'first\n' });
  await using reader = new ObjectReader(workspace.root, process.env);
  const from = (await workspace.git('rev-parse', 'HEAD')).trim();
  await expect(treeDifference(reader, { from, to: 'b'.repeat(40) }, calm)).rejects.toThrow(
    'is not in this clone',
  );
});
