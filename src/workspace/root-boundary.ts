/**
 * The directories in which a process may open workspaces.
 *
 * Invariant: the roots are real paths, fixed when the boundary is created. A path is inside only if it is after all
 * links are followed; a refusal does not reveal whether the path exists.
 */
import { resolve } from 'node:path';
import { Failure } from '../base/failure.ts';
import { PathOutsideWorkspace, Workspace } from './workspace.ts';

export class RootBoundary {
  readonly #roots: readonly Workspace[];

  private constructor(roots: readonly Workspace[]) {
    this.#roots = roots;
  }

  /** Fails if one of the directories does not exist. */
  static async of(directories: readonly string[]): Promise<RootBoundary> {
    return new RootBoundary(await Promise.all(directories.map((directory) => Workspace.open(directory))));
  }

  /** Opens a directory at or below one of the roots. */
  async open(directory: string): Promise<Workspace> {
    await this.rootOf(directory);
    const workspace = await Workspace.open(directory);
    // Checked again by its real path: a link may have been replaced since the first check.
    await this.rootOf(workspace.root);
    return workspace;
  }

  /** The innermost root that contains a file or directory, which need not exist. */
  async rootOf(path: string): Promise<Workspace> {
    const named = /^file:/i.test(path) ? path : resolve(path);
    const holders: Workspace[] = [];
    for (const root of this.#roots) if (await isInside(root, named)) holders.push(root);
    const [innermost] = holders.sort((a, b) => b.root.length - a.root.length);
    if (!innermost)
      throw new RootNotServed(
        path,
        this.#roots.map(({ root }) => root),
      );
    return innermost;
  }
}

class RootNotServed extends Failure {
  readonly code = 'workspace/root-not-served';
  readonly remedy =
    'Use a path below a served root, or start the server with a further --root for this directory.';

  constructor(path: string, roots: readonly string[]) {
    super(`"${path}" is outside the served roots: ${roots.join(', ')}`);
  }
}

async function isInside(root: Workspace, path: string): Promise<boolean> {
  try {
    await root.resolve(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure && !(thrown instanceof PathOutsideWorkspace)) throw thrown;
    // A path that cannot be resolved (no permission, a loop of links) is not known to be inside.
    return false;
  }
}
