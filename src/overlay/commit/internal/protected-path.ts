import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../../base/errno.ts';
import { PathOutsideWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { isBelow, rootPath, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import { ProtectedPath } from './transaction-failure.ts';

/**
 * Paths that no commit writes, moves or deletes.
 *
 * Invariant: a name is refused if any known file system could take it for `.git`. The file system that will contain a
 * committed tree is unknown: the tree may be copied, shared or checked out elsewhere.
 */
export class ProtectedPaths {
  readonly #state: WorkspacePath | undefined;

  /** Fails for a workspace that lies in a `.git` directory itself. */
  constructor(workspace: Workspace, stateDirectory: string) {
    if (isGitPath(workspace.root)) throw new ProtectedPath(workspace.root, 'belongs to git');
    this.#state = pathInside(workspace, stateDirectory);
  }

  /** Refuses a path that is, or lies below, a protected one. */
  refuse(path: WorkspacePath): void {
    if (isGitPath(path)) throw new ProtectedPath(path, 'belongs to git');
    if (this.#state !== undefined && (path === this.#state || isBelow(path, this.#state))) {
      throw new ProtectedPath(path, 'belongs to the state of Forerun');
    }
  }
}

/** Whether a component of the path can mean `.git`. A backslash separates components on Windows. */
export function isGitPath(path: string): boolean {
  return path.split(/[\\/]/).some(isGitName);
}

/**
 * Whether some file system takes this name for `.git`: HFS+ ignores some code points, most systems of macOS and
 * Windows ignore case, NTFS drops trailing dots and spaces, reads what follows a colon as the name of a stream, and
 * has the short name `GIT~1`. Compatibility forms are folded as well, which no system does and no honest name needs.
 */
export function isGitName(name: string): boolean {
  const folded = name.replace(ignorable, '').normalize('NFKC').replace(ignorable, '').toLowerCase();
  const [file = ''] = folded.split(':', 1);
  return /^(\.git|git~\d+)$/.test(file.replace(/[. ]+$/, ''));
}

const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A workspace may be the home directory, and then contains our own state. A workspace inside that state is an
 * ordinary one.
 */
function pathInside(workspace: Workspace, directory: string): WorkspacePath | undefined {
  try {
    const path = workspace.path(realOrSpelled(directory));
    return path === rootPath ? undefined : path;
  } catch (thrown) {
    if (thrown instanceof PathOutsideWorkspace) return undefined;
    throw thrown;
  }
}

function realOrSpelled(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    return join(directory);
  }
}
