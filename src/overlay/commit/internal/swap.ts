import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  linkSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { errnoOf } from '../../../base/errno.ts';
import { unreachable } from '../../../base/unreachable.ts';
import type { ContentHash } from '../../../workspace/content-hash.ts';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { DirectoryReplaced } from './directory-identity.ts';
import { inSlices } from './in-slices.ts';
import type { PlannedStep } from './planned-step.ts';
import type { TreeAccess } from './tree-access.ts';
import { hashEntry, readPlain, statEntry } from './tree-entry.ts';
import type { WorkDirectory } from './work-directory.ts';

/** The steps of a transaction and the directories they move entries between. */
export interface Swap {
  readonly tree: TreeAccess;
  readonly work: WorkDirectory;
  readonly steps: readonly PlannedStep[];
  readonly onStep: (step: string) => void;
}

/**
 * The part of a transaction in which the tree is between two states. Each call renames or links one entry and takes
 * microseconds, so the calls are synchronous: with a turn of the event loop for each, this part would take ten times
 * as long.
 */
export async function keepReplaced(swap: Swap): Promise<void> {
  const { tree, work, onStep } = swap;
  await inSlices(indexed(swap, 'replace'), ([{ step, existing }, index]) => {
    orConflict(step.path, () =>
      tree.on(step.path, (entry) => {
        onStep('keep');
        keep(entry, work.kept(index), existing);
      }),
    );
  });
}

/** Makes the steps. Everything that is replaced has been kept before. */
export async function makeSteps(swap: Swap): Promise<void> {
  // Directories are emptied before they are removed, and made before they are filled.
  for (const kind of ['delete', 'rmdir', 'mkdir', 'replace', 'create'] as const) {
    await inSlices(indexed(swap, kind), ([planned, index]) =>
      orConflict(planned.step.path, () => makeStep(swap, planned, index)),
    );
  }
}

/** Paths were found at the last moment not to contain, or not to lead to, what the plan saw there. */
export class LateConflict extends Error {
  readonly paths: readonly WorkspacePath[];

  constructor(paths: readonly WorkspacePath[], options?: ErrorOptions) {
    super(`changed during the commit: ${paths.join(', ')}`, options);
    this.paths = paths;
  }
}

function indexed({ steps }: Swap, kind: PlannedStep['step']['kind']): (readonly [PlannedStep, number])[] {
  return steps.map((planned, index) => [planned, index] as const).filter(([{ step }]) => step.kind === kind);
}

function makeStep({ tree, work, onStep }: Swap, planned: PlannedStep, index: number): void {
  const { step, content, existing } = planned;
  const { path } = step;
  switch (step.kind) {
    case 'delete': {
      const kept = work.kept(index);
      const move = (entry: string): void => {
        onStep(step.kind);
        renameSync(entry, kept);
      };
      tree.on(path, move, (entry) => moveBack(kept, entry, existing));
      refuseTouched(path, kept, { known: existing, hash: step.before });
      break;
    }
    case 'rmdir':
      tree.on(path, (entry) => {
        onStep(step.kind);
        removeUnlessInUse(entry);
      });
      tree.forget(path);
      break;
    case 'mkdir':
      tree.on(
        path,
        (entry) => {
          onStep(step.kind);
          makeDirectory(entry, path);
        },
        removeUnlessInUse,
      );
      break;
    case 'replace':
      tree.on(path, (entry) => {
        onStep(step.kind);
        refuseTouched(path, entry, { known: existing, hash: step.before });
        renameSync(work.staged(index), entry);
      });
      break;
    case 'create': {
      const staged = work.staged(index);
      const place = (entry: string): void => {
        onStep(step.kind);
        if (content?.kind === 'symlink') symlinkSync(content.target, entry);
        else linkInto(staged, entry);
      };
      tree.on(path, place, (entry) => takeAway(entry, staged, step.after));
      break;
    }
    default:
      unreachable(step);
  }
}

/** Usually the status is equal; if it differs, as when a union mount copied the file up, the content is compared. */
function refuseTouched(
  path: WorkspacePath,
  entry: string,
  { known, hash }: { readonly known: BigIntStats | undefined; readonly hash: ContentHash },
): void {
  const now = statEntry(entry);
  if (now?.ino === known?.ino && now?.size === known?.size && now?.mtimeNs === known?.mtimeNs) return;
  if (hashEntry(entry, now) !== hash) throw new LateConflict([path]);
}

/** Errors of file systems without hard links, or with no more of them for this file. */
const linkless = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A hard link: nothing is copied, and undoing restores the very same file. */
function keep(entry: string, kept: string, existing: BigIntStats | undefined): void {
  try {
    if (existing?.isSymbolicLink()) symlinkSync(readlinkSync(entry), kept);
    else linkSync(entry, kept);
  } catch (thrown) {
    if (!linkless.has(errnoOf(thrown) ?? '')) throw thrown;
    copy(entry, kept, existing);
  }
}

function copy(entry: string, kept: string, existing: BigIntStats | undefined): void {
  const file = openSync(kept, 'wx', 0o600);
  try {
    writeFileSync(file, readPlain(entry));
    if (existing !== undefined) fchmodSync(file, Number(existing.mode & 0o777n));
  } finally {
    closeSync(file);
  }
}

/**
 * Unlike a rename, a link never replaces a file that appeared in the meantime. Without hard links there is no such
 * call, and a race remains between the check and the rename.
 */
function linkInto(staged: string, entry: string): void {
  try {
    linkSync(staged, entry);
  } catch (thrown) {
    if (!linkless.has(errnoOf(thrown) ?? '')) throw thrown;
    if (statEntry(entry) !== undefined) {
      throw Object.assign(new Error(`"${entry}" exists`), { code: 'EEXIST' });
    }
    renameSync(staged, entry);
  }
}

/** An entry that appeared, vanished or changed its kind was changed by another process. */
function orConflict(path: WorkspacePath, make: () => void): void {
  try {
    make();
  } catch (thrown) {
    const code = errnoOf(thrown) ?? '';
    const isChange = ['EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR', 'EINVAL', 'ELOOP'].includes(code);
    if (!isChange && !(thrown instanceof DirectoryReplaced)) throw thrown;
    throw new LateConflict([path], { cause: thrown });
  }
}

function makeDirectory(entry: string, path: WorkspacePath): void {
  try {
    mkdirSync(entry);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    if (!statEntry(entry)?.isDirectory()) throw new LateConflict([path], { cause: thrown });
  }
}

/** A directory that is not empty, or that the system will not remove, stays. */
function removeUnlessInUse(entry: string): void {
  try {
    rmdirSync(entry);
  } catch (thrown) {
    const survived = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'EPERM', 'EACCES'];
    if (!survived.includes(errnoOf(thrown) ?? '')) throw thrown;
  }
}

/** Restores an entry that was moved out of another directory than the planned one. */
function moveBack(kept: string, entry: string, existing: BigIntStats | undefined): void {
  const moved = statEntry(kept);
  const isPlanned = moved?.ino === existing?.ino && moved?.dev === existing?.dev;
  if (!isPlanned && statEntry(entry) === undefined) renameSync(kept, entry);
}

/** Removes an entry that was put into another directory than the planned one, if it is ours. */
function takeAway(entry: string, staged: string, after: ContentHash): void {
  const [made, source] = [statEntry(entry), statEntry(staged)];
  const isOurs = source?.isFile()
    ? made?.ino === source.ino && made.dev === source.dev
    : made?.isSymbolicLink() && hashEntry(entry, made) === after;
  if (isOurs) unlinkSync(entry);
}
