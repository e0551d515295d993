import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isUnreadable } from '../base/errno.ts';
import { IgnoreRules } from './ignore-rules.ts';
import type { Workspace } from './workspace.ts';
import { childOf, comparePaths, rootPath, type WorkspacePath } from './workspace-path.ts';

/** Which files a walk answers with; every condition given must hold. */
export interface FileFilter {
  /** Extensions without their dot. */
  readonly extensions?: ReadonlySet<string>;
  /** Judges the last segment of a path. */
  readonly matches?: (name: string) => boolean;
  /** Whether directories that hold output are entered as well; absent: they are not. */
  readonly outputs?: 'entered';
  /** Enough: the walk ends soon after so many were found, with whichever came first. */
  readonly enough?: number;
}

/**
 * The files of the workspace on disk, in the same order on every machine. Ignored directories are not
 * entered; links are not followed, so a walk always ends and names each file once. A directory that may
 * not be read is passed over.
 */
export async function listFiles(
  workspace: Workspace,
  filter: FileFilter,
  signal: AbortSignal,
): Promise<WorkspacePath[]> {
  const rules = new IgnoreRules(workspace);
  const found: WorkspacePath[] = [];
  const isDone = (): boolean => filter.enough !== undefined && found.length >= filter.enough;
  const isPassed = (parent: WorkspacePath, name: string): boolean =>
    filter.outputs === 'entered' ? rules.hidesDirectory(parent, name) : rules.ignoresDirectory(parent, name);
  let level: WorkspacePath[] = [rootPath];
  while (level.length > 0 && !isDone()) {
    signal.throwIfAborted();
    const below: WorkspacePath[] = [];
    await readLevel({ workspace, directories: level, isDone }, (directory, entry) => {
      const path = childOf(directory, entry.name);
      if (entry.isDirectory()) {
        if (!isPassed(directory, entry.name)) below.push(path);
      } else if (entry.isFile() && isWanted(entry.name, filter) && !rules.ignoresFile(entry.name)) {
        found.push(path);
      }
    });
    level = below;
  }
  return found.sort(comparePaths);
}

/** Directories of one depth are read together, as many at a time as the thread pool has use for. */
async function readLevel(
  {
    workspace,
    directories,
    isDone,
  }: {
    readonly workspace: Workspace;
    readonly directories: readonly WorkspacePath[];
    readonly isDone: () => boolean;
  },
  visit: (directory: WorkspacePath, entry: Dirent) => void,
): Promise<void> {
  const batch = 32;
  for (let start = 0; start < directories.length && !isDone(); start += batch) {
    await Promise.all(
      directories.slice(start, start + batch).map(async (directory) => {
        for (const entry of await entriesOf(workspace.absolute(directory))) visit(directory, entry);
      }),
    );
  }
}

async function entriesOf(absolute: string): Promise<Dirent[]> {
  try {
    return await readdir(absolute, { withFileTypes: true });
  } catch (thrown) {
    if (isUnreadable(thrown)) return [];
    throw thrown;
  }
}

function isWanted(name: string, filter: FileFilter): boolean {
  if (filter.extensions !== undefined) {
    const dot = name.lastIndexOf('.');
    if (dot < 0 || !filter.extensions.has(name.slice(dot + 1))) return false;
  }
  return filter.matches === undefined || filter.matches(name);
}
