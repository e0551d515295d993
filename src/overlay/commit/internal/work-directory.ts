import { accessSync, constants, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { isMissing } from '../../../base/errno.ts';
import { userId } from '../../../storage/user-directories.ts';
import { childOf, parentOf, rootPath, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import { type DirectoryIdentity, DirectoryReplaced, directoryAt } from './directory-identity.ts';
import { inSlices } from './in-slices.ts';
import type { TransactionId } from './journal-store.ts';
import { removeIfEmpty, unlinkIfThere } from './transaction-files.ts';
import type { TreeAccess } from './tree-access.ts';

/**
 * The work directory of a transaction: it contains the new entries until they are put in place, and the old ones
 * until it is committed. It must be on the file system of the workspace: in `.git` if that is a directory, else at
 * the root.
 *
 * Invariant: it was created by this user under an unpredictable name, is closed to other users, and is used only
 * while it is the directory that was created. Its contents are never read as instructions: those are in the journal.
 */
export class WorkDirectory {
  readonly path: WorkspacePath;
  readonly identity: DirectoryIdentity;
  readonly #tree: TreeAccess;

  private constructor(tree: TreeAccess, path: WorkspacePath, identity: DirectoryIdentity) {
    this.#tree = tree;
    this.path = path;
    this.identity = identity;
  }

  /** Creates it; fails if the name exists. */
  static make(tree: TreeAccess, path: WorkspacePath): WorkDirectory {
    tree.on(path, (entry) => mkdirSync(entry, { mode: 0o700 }));
    return new WorkDirectory(tree, path, tree.pin(path));
  }

  /** Opens one that a journal names. */
  static find(
    tree: TreeAccess,
    {
      path,
      isExpected,
    }: { readonly path: WorkspacePath; readonly isExpected: (found: DirectoryIdentity) => boolean },
  ): WorkDirectory | 'missing' | 'replaced' {
    try {
      const stats = tree.on(path, (entry) => lstatSync(entry, { bigint: true, throwIfNoEntry: false }));
      if (stats === undefined) return 'missing';
      if (!stats.isDirectory() || !isOwn(stats.uid)) return 'replaced';
      const identity = tree.pin(path);
      if (isExpected(identity)) return new WorkDirectory(tree, path, identity);
      tree.forget(path);
      return 'replaced';
    } catch (thrown) {
      if (thrown instanceof DirectoryReplaced) return 'replaced';
      if (isMissing(thrown)) return 'missing';
      throw thrown;
    }
  }

  /** The path of the new entry of a step. */
  staged(index: number): string {
    return `${this.#tree.directory(this.path)}/new-${index}`;
  }

  /** The path at which the entry that a step replaces or deletes is kept. */
  kept(index: number): string {
    return `${this.#tree.directory(this.path)}/old-${index}`;
  }

  get directory(): string {
    return this.#tree.directory(this.path);
  }

  /** Adds a `.gitignore`, so that the directory does not show in version control. In `.git` nothing shows. */
  hideFromGit(): void {
    if (parentOf(this.path) === rootPath)
      writeFileSync(`${this.directory}/${ignoreFile}`, '*\n', { flag: 'wx' });
  }

  /** Removes what a transaction put into it, and the directory if that was all. */
  async remove(onStep: (step: string) => void): Promise<void> {
    const names = readdirSync(this.directory).filter((name) => ownName.test(name));
    await inSlices(names, (name) => {
      onStep('clean');
      unlinkIfThere(`${this.directory}/${name}`);
    });
    onStep('clean');
    removeEmptyWork(this.#tree, this.path);
  }
}

/** The path of a transaction's work directory. */
export function workPathFor(tree: TreeAccess, id: TransactionId): WorkspacePath {
  const { inGit, atRoot } = workPaths(id);
  return canHoldWork(tree) ? inGit : atRoot;
}

/** Whether a journal of this transaction can name this path. */
export function isWorkPath(path: WorkspacePath, id: TransactionId): boolean {
  const { inGit, atRoot } = workPaths(id);
  return path === inGit || path === atRoot;
}

/** Removes an empty work directory. A link of that name, or a directory that is not empty, stays. */
export function removeEmptyWork(tree: TreeAccess, path: WorkspacePath): void {
  try {
    tree.on(path, removeIfEmpty);
  } catch (thrown) {
    if (!(thrown instanceof DirectoryReplaced) && !isMissing(thrown)) throw thrown;
  }
  tree.forget(path);
}

const ignoreFile = '.gitignore';
const ownName = /^((new|old)-\d+|\.gitignore)$/;

function workPaths(id: TransactionId): { readonly inGit: WorkspacePath; readonly atRoot: WorkspacePath } {
  return { inGit: childOf(gitDirectory, `forerun-tx-${id}`), atRoot: childOf(rootPath, `.forerun-tx-${id}`) };
}

const gitDirectory = childOf(rootPath, '.git');

/** Inside `.git` no tool looks for sources; it must be a directory we may write, on the same file system. */
function canHoldWork(tree: TreeAccess): boolean {
  if (tree.on(gitDirectory, directoryAt)?.dev !== tree.identity.dev) return false;
  try {
    accessSync(tree.directory(gitDirectory), constants.W_OK);
    return true;
  } catch {
    tree.forget(gitDirectory);
    return false;
  }
}

function isOwn(uid: bigint): boolean {
  return process.platform === 'win32' || Number(uid) === userId();
}
