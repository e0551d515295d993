/**
 * The workspace a directory belongs to, as `forerun trust` and `--trust` mean it: the repository, else the nearest
 * directory with a project file, else the directory itself.
 *
 * Invariant: the home of the user and what lies above it is never taken for the workspace of a directory below.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inferRoot } from '../../servers/workspace-root.ts';
import { homeDirectory } from '../../storage/user-directories.ts';
import { isBelow, realPathOf } from '../../workspace/supplied-path.ts';
import { Workspace } from '../../workspace/workspace.ts';

export async function workspaceDirectory(
  directory: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> {
  const { root } = await Workspace.open(directory);
  const home = realPathOf(homeDirectory(env));
  const isOwn = (found: string): boolean => found === root || !isBelow(home, found);
  for (let at = root; isOwn(at) && at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
  }
  const inferred = await inferRoot(root, signal);
  return inferred && isOwn(inferred.root) ? inferred.root : root;
}
