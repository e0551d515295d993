import {
  type BigIntStats,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs';
import { unreachable } from '../../base/unreachable.ts';
import { type ContentHash, hashContent } from '../../workspace/content-hash.ts';
import { errnoOf } from '../../workspace/errno.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { inSlices } from './in-slices.ts';
import type { PlannedStep } from './planned-step.ts';
import { newFile, oldFile } from './transaction-files.ts';

/** A planned step and the three places it moves things between. */
export interface PlacedStep extends PlannedStep {
  readonly target: string;
  readonly staged: string;
  readonly backup: string;
}

/**
 * The part of a transaction in which the tree is between two states. Each call renames or links one entry
 * and takes microseconds, so they are made synchronously: a reader of the tree waits for the end of it a
 * tenth of the time it would take with a turn of the event loop for each.
 */
export async function keepReplaced(
  steps: readonly PlacedStep[],
  onStep: (step: string) => void,
): Promise<void> {
  await inSlices(
    steps.filter(({ step }) => step.kind === 'replace'),
    ({ step, target, backup, existing }) => {
      onStep('keep');
      orConflict(step.path, () => keep(target, backup, existing));
    },
  );
}

/** Makes the steps. Everything that is replaced has been kept before. */
export async function makeSteps(steps: readonly PlacedStep[], onStep: (step: string) => void): Promise<void> {
  // Directories are emptied before they are removed, and made before they are filled.
  for (const kind of ['delete', 'rmdir', 'mkdir', 'replace', 'create'] as const) {
    await inSlices(
      steps.filter(({ step }) => step.kind === kind),
      (placed) => makeStep(placed, onStep),
    );
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

export function placeStep(
  planned: PlannedStep,
  index: number,
  target: string,
  transaction: string,
): PlacedStep {
  return { ...planned, target, staged: newFile(transaction, index), backup: oldFile(transaction, index) };
}

function makeStep(placed: PlacedStep, onStep: (step: string) => void): void {
  const { step, content, existing, target, staged, backup } = placed;
  if (step.kind === 'replace') refuseTouched(step.path, target, existing, step.before);
  onStep(step.kind);
  switch (step.kind) {
    case 'delete':
      orConflict(step.path, () => renameSync(target, backup));
      refuseTouched(step.path, backup, existing, step.before);
      break;
    case 'rmdir':
      removeIfEmpty(target);
      break;
    case 'mkdir':
      makeDirectory(target, step.path);
      break;
    case 'replace':
      renameSync(staged, target);
      break;
    case 'create':
      orConflict(step.path, () => {
        if (content?.kind === 'symlink') symlinkSync(content.target, target);
        else linkInto(staged, target);
      });
      break;
    default:
      unreachable(step);
  }
}

/**
 * The status answers in most cases; where it differs, as when a union mount copied the file up, the content
 * does.
 */
function refuseTouched(
  path: WorkspacePath,
  absolute: string,
  known: BigIntStats | undefined,
  hash: ContentHash,
): void {
  orConflict(path, () => {
    const now = lstatSync(absolute, { bigint: true });
    if (now.ino === known?.ino && now.size === known.size && now.mtimeNs === known.mtimeNs) return;
    const content = now.isSymbolicLink()
      ? ({ kind: 'symlink', target: readlinkSync(absolute) } as const)
      : ({ kind: 'binary', bytes: readFileSync(absolute) } as const);
    if (hashContent(content) !== hash) throw new LateConflict(path);
  });
}

/** Errors of file systems that know no hard links, or no more of them for this file. */
const linkless = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A second name for what is there: no copying, and putting it back restores the very same file. */
function keep(target: string, backup: string, existing: BigIntStats | undefined): void {
  try {
    if (existing?.isSymbolicLink()) symlinkSync(readlinkSync(target), backup);
    else linkSync(target, backup);
  } catch (thrown) {
    if (!linkless.has(errnoOf(thrown) ?? '')) throw thrown;
    copyFileSync(target, backup, constants.COPYFILE_EXCL);
  }
}

/**
 * Unlike a rename, a link never takes the place of a file that appeared in the meantime. Without hard links
 * there is no such call, and a moment remains between looking and renaming.
 */
function linkInto(staged: string, target: string): void {
  try {
    linkSync(staged, target);
  } catch (thrown) {
    if (!linkless.has(errnoOf(thrown) ?? '')) throw thrown;
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) {
      throw Object.assign(new Error(`"${target}" exists`), { code: 'EEXIST' });
    }
    renameSync(staged, target);
  }
}

/** What is suddenly there, suddenly gone or suddenly something else, somebody has changed. */
function orConflict(path: WorkspacePath, make: () => void): void {
  try {
    make();
  } catch (thrown) {
    if (!['EEXIST', 'ENOENT', 'ENOTDIR', 'EISDIR', 'EINVAL'].includes(errnoOf(thrown) ?? '')) throw thrown;
    throw new LateConflict(path, { cause: thrown });
  }
}

function makeDirectory(target: string, path: WorkspacePath): void {
  try {
    mkdirSync(target);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    if (!lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) {
      throw new LateConflict(path, { cause: thrown });
    }
  }
}

/** A directory that still holds something, or that the system will not give up, stays. */
function removeIfEmpty(target: string): void {
  try {
    rmdirSync(target);
  } catch (thrown) {
    const survived = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'EPERM', 'EACCES'];
    if (!survived.includes(errnoOf(thrown) ?? '')) throw thrown;
  }
}
