import { readlink } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { mapConcurrently } from '../../../workspace/concurrency.ts';
import { absentHash, type ContentHash } from '../../../workspace/content-hash.ts';
import type { FileContent } from '../../../workspace/file-content.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { type FileChange, isSameContent } from '../../overlay.ts';
import { statEntry } from './tree-entry.ts';

/** The content one path must have after a commit. A rename is two of these. */
export interface CommitTarget {
  readonly path: WorkspacePath;
  /** Undefined if there must be nothing. */
  readonly content: FileContent | undefined;
  /** The content the change was made on. */
  readonly madeOn: ContentHash;
  /** Where the content of this path is moved in the same commit. */
  readonly movedTo?: WorkspacePath;
  /** The mode of the file where the change was made, if it was unusual. */
  readonly usualMode: number | undefined;
}

export async function toTargets(
  workspace: Workspace,
  changes: readonly FileChange[],
): Promise<CommitTarget[]> {
  const targets = await mapConcurrently(changes, 16, async (change): Promise<CommitTarget[]> => {
    const { path, from, before, after, beforeHash } = change;
    const usualMode = before === undefined || before.kind === 'symlink' ? undefined : before.mode;
    if (from === undefined) return [{ path, content: after, madeOn: beforeHash, usualMode }];
    const content = (await movedLink(workspace, change)) ?? after;
    return [
      { path: from, content: undefined, madeOn: beforeHash, usualMode: undefined, movedTo: path },
      { path, content, madeOn: absentHash, usualMode },
    ];
  });
  return targets.flat();
}

/** A renamed link stays a link and keeps its target. */
async function movedLink(
  workspace: Workspace,
  { path, from, before, after }: FileChange,
): Promise<FileContent | undefined> {
  if (from === undefined || before === undefined || after === undefined) return undefined;
  if (after.kind === 'symlink' || !isSameContent(before, after)) return undefined;
  const source = workspace.absolute(from);
  if (!statEntry(source)?.isSymbolicLink()) return undefined;
  const target = await readlink(source);
  if (isAbsolute(target)) return { kind: 'symlink', target };
  return {
    kind: 'symlink',
    target: relative(dirname(workspace.absolute(path)), resolve(dirname(source), target)),
  };
}
