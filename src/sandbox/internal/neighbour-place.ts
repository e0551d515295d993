/**
 * Host paths outside a workspace that belong to it: the repository around it, and the interpreter of its virtual
 * environment.
 *
 * Invariant: files of the workspace are untrusted. A directory they point to is shown only if its own content, which
 * the workspace cannot write, proves what it is.
 */
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isUnreadable } from '../../base/errno.ts';
import { hostPlace, isPlaceable } from './machine-place.ts';
import { isWithin, type SandboxPlace } from './place.ts';

export async function neighbourPlaces(
  root: string,
  homes: readonly string[],
): Promise<readonly SandboxPlace[]> {
  const [repository, interpreters] = await Promise.all([
    repositoryPlaces(root, homes),
    Promise.all(['.venv', 'venv', 'env'].map((name) => interpreterPlaces(join(root, name, 'bin'), homes))),
  ]);
  return [...repository, ...interpreters.flat()].filter(({ path }) => !isWithin(path, root));
}

/**
 * The rest of the repository, read-only, if the workspace is a directory in it; the Git directory, which git also
 * writes, if the workspace is a linked worktree or a submodule.
 */
async function repositoryPlaces(root: string, homes: readonly string[]): Promise<readonly SandboxPlace[]> {
  const top = await repositoryAbove(root);
  if (top === undefined) return [];
  const git = join(top, '.git');
  const above =
    top !== root && isPlaceable(top) && !homes.some((home) => isWithin(home, top))
      ? [{ kind: 'shown' as const, path: top, source: top }]
      : [];
  if (await isDirectory(git)) {
    return above.length === 0 ? [] : [...above, { kind: 'layered', path: git, source: git }];
  }
  const linked = await linkedRepository(top);
  return linked === undefined ? above : [...above, ...(await hostPlace('layered', linked, homes))];
}

async function repositoryAbove(root: string): Promise<string | undefined> {
  for (let directory = root; directory !== '/'; directory = dirname(directory)) {
    if (await exists(join(directory, '.git'))) return directory;
  }
  return undefined;
}

/** The repository that lists this tree as a worktree or submodule; the tree naming a repository is not enough. */
async function linkedRepository(tree: string): Promise<string | undefined> {
  const named = /^gitdir: (.+)$/m.exec(await textOf(join(tree, '.git')))?.[1]?.trim();
  if (named === undefined) return undefined;
  const own = await realOf(resolve(tree, named));
  if (own === undefined || isWithin(own, tree)) return undefined;
  if (basename(dirname(own)) === 'worktrees') {
    const back = (await textOf(join(own, 'gitdir'))).trim();
    const common = dirname(dirname(own));
    const isOurs = (await realOf(dirname(resolve(own, back)))) === tree;
    return isOurs && back !== '' && (await isRepository(common)) ? common : undefined;
  }
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(await textOf(join(own, 'config')))?.[1];
  const isOurs = worktree !== undefined && (await realOf(resolve(own, worktree))) === tree;
  return isOurs && (await isRepository(own)) ? own : undefined;
}

async function isRepository(directory: string): Promise<boolean> {
  const parts = await Promise.all(['objects', 'refs'].map((name) => isDirectory(join(directory, name))));
  return parts.every(Boolean) && /^(?:ref: |[0-9a-f]{40})/.test(await textOf(join(directory, 'HEAD')));
}

/** The installation that a virtual environment's interpreter links to. */
async function interpreterPlaces(
  directory: string,
  homes: readonly string[],
): Promise<readonly SandboxPlace[]> {
  const real = await realOf(join(directory, 'python'));
  if (real === undefined || !/^(?:python|pypy)[\d.]*$/.test(basename(real))) return [];
  const prefix = dirname(dirname(real));
  const libraries = await readdir(join(prefix, 'lib')).catch(() => []);
  const isInstallation = libraries.some((name) => /^(?:python|pypy)\d/.test(name));
  return isInstallation && basename(dirname(real)) === 'bin' ? hostPlace('shown', prefix, homes) : [];
}

async function textOf(path: string): Promise<string> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size < 65_536 ? await readFile(path, 'utf8') : '';
  } catch (thrown) {
    if (isUnreadable(thrown)) return '';
    throw thrown;
  }
}

async function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
