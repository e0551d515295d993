import { type BigIntStats, lstatSync, realpathSync } from 'node:fs';
import { isMissing } from '../../../base/errno.ts';
import { lowerDrive } from '../../../workspace/workspace.ts';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';

/** Identifies a directory across calls. */
export interface DirectoryIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function directoryIdentityOf({ dev, ino }: BigIntStats): DirectoryIdentity {
  return { dev, ino };
}

export function isSameDirectory(one: DirectoryIdentity, other: DirectoryIdentity | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev;
}

/** The identity of the directory with this name; undefined for anything else, also for a link to a directory. */
export function directoryAt(entry: string): DirectoryIdentity | undefined {
  try {
    const stats = lstatSync(entry, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() ? directoryIdentityOf(stats) : undefined;
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

/** The identity of a root directory; undefined if its path now leads through a link. */
export function rootAt(root: string): DirectoryIdentity | undefined {
  try {
    return lowerDrive(realpathSync.native(root)) === root ? directoryAt(root) : undefined;
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

/** A path leads to another directory than before, or through a link. */
export class DirectoryReplaced extends Error {
  readonly directory: WorkspacePath;

  constructor(directory: WorkspacePath, options?: ErrorOptions) {
    super(`the directory "${directory}" was replaced`, options);
    this.directory = directory;
  }
}
