import { type BigIntStats, statSync } from 'node:fs';
import { isMissing } from '../../../base/errno.ts';
import { PathOutsideWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import {
  ancestorsOf,
  baseName,
  childOf,
  moveBelow,
  parentOf,
  rootPath,
  type WorkspacePath,
} from '../../../workspace/workspace-path.ts';
import type { CommitTarget } from './commit-target.ts';
import type { PlannedStep } from './planned-step.ts';
import { CrossDevice } from './transaction-failure.ts';
import { statEntry } from './tree-entry.ts';

/** An entry of the tree, all links on its path resolved, and its status if it exists. */
interface Place {
  readonly path: WorkspacePath;
  readonly stats: BigIntStats | undefined;
  /** Set if a link on the path is removed first: then nothing is there, whatever is read through the link now. */
  readonly isBelowRemovedLink?: true;
}

interface DirectoryStatus {
  readonly mode: number;
  readonly device: number;
}

/**
 * The directories of a workspace as one plan sees them; each is read once.
 *
 * Invariant: every place returned by `locate` lies inside the workspace and on the file system of its root.
 */
export class TreeDirectories {
  readonly #workspace: Workspace;
  /** Links that the plan removes, as named by the overlay: files below them go into new directories. */
  readonly #removedLinks: ReadonlySet<WorkspacePath>;
  readonly #resolved = new Map<WorkspacePath, Promise<WorkspacePath>>();
  readonly #statuses = new Map<WorkspacePath, Promise<DirectoryStatus | undefined>>();

  constructor(workspace: Workspace, targets: readonly CommitTarget[]) {
    this.#workspace = workspace;
    const removed = targets.filter(({ content }) => content === undefined).map(({ path }) => path);
    this.#removedLinks = new Set(
      removed.filter((path) => statEntry(workspace.absolute(path))?.isSymbolicLink()),
    );
  }

  /**
   * The entry a target resolves to. Content is written through a link to a file inside, so the link survives; a link
   * that leads out or nowhere is itself replaced; a deletion always removes the link.
   */
  async locate(target: CommitTarget): Promise<Place> {
    const link = ancestorsOf(target.path).findLast((ancestor) => this.#removedLinks.has(ancestor));
    if (link !== undefined) return this.#inPlaceOf(link, target.path);
    const directory = await this.#resolve(parentOf(target.path));
    await this.#refuseOtherDevice(directory);
    const path = childOf(directory, baseName(target.path));
    const stats = statEntry(this.#workspace.absolute(path));
    const isThrough =
      stats?.isSymbolicLink() && target.content !== undefined && target.content.kind !== 'symlink';
    return (isThrough ? await this.#through(path) : undefined) ?? { path, stats };
  }

  /** The directories that must be made for new files, outermost first, and the targets blocked by a file. */
  async toMake(
    created: readonly { readonly place: WorkspacePath; readonly target: CommitTarget }[],
    removed: ReadonlySet<WorkspacePath>,
  ): Promise<{ readonly steps: PlannedStep[]; readonly obstructed: WorkspacePath[] }> {
    const missing = new Set<WorkspacePath>();
    const obstructed: WorkspacePath[] = [];
    for (const { place, target } of created) {
      for (const ancestor of ancestorsOf(place)) {
        if (missing.has(ancestor)) break;
        if (!removed.has(ancestor) && (await this.#status(ancestor)) !== undefined) break;
        if (!removed.has(ancestor) && statEntry(this.#workspace.absolute(ancestor)) !== undefined) {
          obstructed.push(target.path);
        }
        missing.add(ancestor);
      }
    }
    const steps = [...missing].sort((a, b) => a.length - b.length);
    return { steps: steps.map((path): PlannedStep => ({ step: { kind: 'mkdir', path } })), obstructed };
  }

  /**
   * The directories that deletions may leave empty, innermost first. As in git, a directory that loses its last file
   * is removed. Whether it is empty shows when it is tried.
   */
  async toRemove(
    removed: ReadonlySet<WorkspacePath>,
    written: ReadonlySet<WorkspacePath>,
  ): Promise<PlannedStep[]> {
    const kept = new Set([...written].flatMap(ancestorsOf));
    const candidates = new Set([...removed].flatMap(ancestorsOf).filter((directory) => !kept.has(directory)));
    const steps: PlannedStep[] = [];
    for (const path of [...candidates].sort((a, b) => b.length - a.length)) {
      const status = await this.#status(path);
      if (status !== undefined) steps.push({ step: { kind: 'rmdir', path, mode: status.mode } });
    }
    return steps;
  }

  /** Below a link that is removed there is nothing yet. */
  async #inPlaceOf(link: WorkspacePath, path: WorkspacePath): Promise<Place> {
    const directory = await this.#resolve(parentOf(link));
    await this.#refuseOtherDevice(directory);
    const place = moveBelow(path, link, childOf(directory, baseName(link)));
    return { path: place, stats: undefined, isBelowRemovedLink: true };
  }

  #resolve(directory: WorkspacePath): Promise<WorkspacePath> {
    return remember(this.#resolved, directory, () =>
      this.#workspace.resolve(this.#workspace.absolute(directory)),
    );
  }

  async #through(link: WorkspacePath): Promise<Place | undefined> {
    try {
      const path = await this.#workspace.resolve(this.#workspace.absolute(link));
      const stats = statEntry(this.#workspace.absolute(path));
      if (!stats?.isFile()) return undefined;
      await this.#refuseOtherDevice(parentOf(path));
      return { path, stats };
    } catch (thrown) {
      if (thrown instanceof PathOutsideWorkspace) return undefined;
      throw thrown;
    }
  }

  /** Checked by the nearest existing directory. */
  async #refuseOtherDevice(directory: WorkspacePath): Promise<void> {
    const root = await this.#status(rootPath);
    for (const existing of [directory, ...ancestorsOf(directory), rootPath]) {
      const status = await this.#status(existing);
      if (status === undefined) continue;
      if (status.device !== root?.device) throw new CrossDevice(directory);
      return;
    }
  }

  #status(directory: WorkspacePath): Promise<DirectoryStatus | undefined> {
    return remember(this.#statuses, directory, async () => {
      try {
        const stats = statSync(this.#workspace.absolute(directory));
        return stats.isDirectory() ? { mode: stats.mode & 0o7777, device: stats.dev } : undefined;
      } catch (thrown) {
        if (isMissing(thrown)) return undefined;
        throw thrown;
      }
    });
  }
}

function remember<T>(
  known: Map<WorkspacePath, Promise<T>>,
  path: WorkspacePath,
  look: () => Promise<T>,
): Promise<T> {
  const before = known.get(path);
  if (before !== undefined) return before;
  const looking = look();
  known.set(path, looking);
  return looking;
}
