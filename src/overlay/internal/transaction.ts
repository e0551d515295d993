import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readlink, rename, rmdir, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { encodeContent } from '../../workspace/content-hash.ts';
import { errnoOf } from '../../workspace/errno.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { parentOf, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { markCommitted, type Step, writeJournal } from './journal.ts';
import type { PlannedStep } from './planned-step.ts';
import { isForeign, keepOwner, newFile, oldFile, syncDirectories } from './transaction-files.ts';
import { isUntouched, statEntry } from './tree-entry.ts';

export interface TransactionOptions {
  /** Survive the death of the process, or the loss of power as well. */
  readonly durability: 'process' | 'power';
  /** Called before each call that alters the disk, so that a test can end the process at every one of them. */
  readonly onStep: (step: string) => void;
}

/**
 * Makes the steps of a plan so that a crash anywhere leaves enough to undo them.
 *
 * Invariant: the tree is not touched before the journal is complete; nothing in the tree is overwritten
 * or removed before it is kept under `old`; until `commit` returns, undoing is possible.
 */
export class Transaction {
  readonly #workspace: Workspace;
  readonly #directory: string;
  readonly #planned: readonly (PlannedStep & { readonly index: number })[];
  readonly #options: TransactionOptions;

  constructor(
    workspace: Workspace,
    directory: string,
    planned: readonly PlannedStep[],
    options: TransactionOptions,
  ) {
    this.#workspace = workspace;
    this.#directory = directory;
    this.#planned = planned.map((step, index) => ({ ...step, index }));
    this.#options = options;
  }

  /** Writes the new bytes aside, then the journal. The tree is as it was. */
  async prepare(signal: AbortSignal): Promise<void> {
    for (const name of ['', 'new', 'old'])
      await this.#step('stage', () => mkdir(join(this.#directory, name)));
    // What the umask leaves of a new directory tells what it leaves of a new file.
    const newFileMode = (await stat(join(this.#directory, 'new'))).mode & 0o666;
    await mapConcurrently(this.#planned, concurrency, async (planned) => {
      signal.throwIfAborted();
      if (planned.content !== undefined) await this.#stage(planned, planned.content, newFileMode);
    });
    await this.#sync([join(this.#directory, 'new')]);
    signal.throwIfAborted();
    const steps = this.#planned.map(({ step }) => step);
    await this.#step('journal', () => writeJournal(this.#directory, steps, this.#options.durability));
    const root = dirname(this.#directory);
    await this.#sync([this.#directory, root, dirname(root)]);
  }

  /** Makes the steps. Fails with a LateConflict when somebody else was quicker. */
  async swap(): Promise<void> {
    const existing = this.#planned.filter(({ step }) => step.kind === 'replace');
    await mapConcurrently(existing, concurrency, ({ step, index, existing: entry }) =>
      this.#step('keep', () => {
        const [target, backup] = [this.#absolute(step), oldFile(this.#directory, index)];
        return orConflict(
          entry?.isSymbolicLink() ? keepLink(target, backup) : keepFile(target, backup),
          step.path,
        );
      }),
    );
    await this.#sync([join(this.#directory, 'old')]);
    // Directories are emptied before they are removed and made before they are filled; files of one sort are
    // independent of each other.
    await this.#each('delete', concurrency);
    await this.#each('rmdir', 1);
    await this.#each('mkdir', 1);
    await this.#each('replace', concurrency);
    await this.#each('create', concurrency);
    const touched = new Set(this.#planned.map(({ step }) => this.#workspace.absolute(parentOf(step.path))));
    await this.#sync([...touched, join(this.#directory, 'old')]);
  }

  /** From here on the new tree is the one that stays. */
  async commit(): Promise<void> {
    await this.#step('commit', () => markCommitted(this.#directory));
    await this.#sync([this.#directory]);
  }

  async #each(kind: Step['kind'], limit: number): Promise<void> {
    const planned = this.#planned.filter(({ step }) => step.kind === kind);
    await mapConcurrently(planned, limit, (step) => this.#make(step));
  }

  async #make({ step, index, content, existing }: PlannedStep & { readonly index: number }): Promise<void> {
    const target = this.#absolute(step);
    const staged = newFile(this.#directory, index);
    switch (step.kind) {
      case 'delete': {
        const kept = oldFile(this.#directory, index);
        await this.#step('delete', () => orConflict(rename(target, kept), step.path));
        if (existing && !(await isUntouched(kept, existing, step.before))) throw new LateConflict(step.path);
        return;
      }
      case 'rmdir':
        return this.#step('rmdir', () => removeIfEmpty(target));
      case 'mkdir':
        return this.#step('mkdir', () => makeDirectory(target, step.path));
      case 'replace':
        if (existing && !(await isUntouched(target, existing, step.before)))
          throw new LateConflict(step.path);
        return this.#step('replace', () => rename(staged, target));
      case 'create':
        if (content?.kind === 'symlink') {
          return this.#step('create', () => orConflict(symlink(content.target, target), step.path));
        }
        return this.#step('create', () => orConflict(linkInto(staged, target), step.path));
    }
  }

  async #stage(
    { index, existing }: PlannedStep & { readonly index: number },
    content: FileContent,
    newFileMode: number,
  ): Promise<void> {
    const file = newFile(this.#directory, index);
    if (content.kind === 'symlink') return this.#step('stage', () => symlink(content.target, file));
    await this.#step('stage', async () => {
      await using handle = await open(file, 'wx');
      await handle.writeFile(encodeContent(content));
      if (existing && isForeign(existing)) await keepOwner(handle, existing);
      const mode = content.mode ?? (existing && Number(existing.mode & 0o7777n));
      if (mode !== undefined && mode !== newFileMode) await handle.chmod(mode);
      if (this.#options.durability === 'power') await handle.sync();
    });
  }

  #absolute(step: Step): string {
    return this.#workspace.absolute(step.path);
  }

  async #step(name: string, act: () => Promise<unknown>): Promise<void> {
    this.#options.onStep(name);
    await act();
  }

  async #sync(directories: readonly string[]): Promise<void> {
    if (this.#options.durability === 'power') await syncDirectories(directories);
  }
}

/** A path turned out at the last moment not to hold what the plan saw there. */
export class LateConflict extends Error {
  readonly path: WorkspacePath;

  constructor(path: WorkspacePath, options?: ErrorOptions) {
    super(`"${path}" changed during the commit`, options);
    this.path = path;
  }
}

const concurrency = 16;

/** Errors of file systems that know no hard links, or no more of them for this file. */
const linkless = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A second name for what is there: no copying, and putting it back restores the very same file. */
async function keepFile(target: string, backup: string): Promise<void> {
  try {
    await link(target, backup);
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined || !linkless.has(code)) throw thrown;
    await copyFile(target, backup, constants.COPYFILE_EXCL);
  }
}

async function keepLink(target: string, backup: string): Promise<void> {
  await symlink(await readlink(target), backup);
}

/** Unlike a rename, a link never takes the place of a file that appeared in the meantime. */
async function linkInto(staged: string, target: string): Promise<void> {
  try {
    await link(staged, target);
  } catch (thrown) {
    const code = errnoOf(thrown);
    if (code === undefined || !linkless.has(code)) throw thrown;
    if ((await statEntry(target)) !== undefined) throw Object.assign(new Error(target), { code: 'EEXIST' });
    await rename(staged, target);
  }
}

/** What is suddenly there, suddenly gone or suddenly no link any more, somebody else has changed. */
async function orConflict(making: Promise<void>, path: WorkspacePath): Promise<void> {
  try {
    await making;
  } catch (thrown) {
    if (['EEXIST', 'ENOENT', 'EINVAL'].includes(errnoOf(thrown) ?? ''))
      throw new LateConflict(path, { cause: thrown });
    throw thrown;
  }
}

async function makeDirectory(target: string, path: WorkspacePath): Promise<void> {
  try {
    await mkdir(target);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    if (!(await statEntry(target))?.isDirectory()) throw new LateConflict(path, { cause: thrown });
  }
}

/** A directory that still holds something, or that the system will not give up, stays. */
async function removeIfEmpty(target: string): Promise<void> {
  try {
    await rmdir(target);
  } catch (thrown) {
    const survived = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'EPERM', 'EACCES'];
    if (!survived.includes(errnoOf(thrown) ?? '')) throw thrown;
  }
}
