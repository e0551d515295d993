import { readlink } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { mapConcurrently } from '../../../workspace/concurrency.ts';
import { absentHash, type ContentHash } from '../../../workspace/content-hash.ts';
import type { FileContent } from '../../../workspace/file-content.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { type FileChange, isSameContent } from '../../file-change.ts';
import { statEntry } from './tree-entry.ts';

/** What one path must hold once a commit is done. A rename is two of these. */
export interface CommitTarget {
  readonly path: WorkspacePath;
  /** Undefined where there must be nothing. */
  readonly content: FileContent | undefined;
  /** The content the change was made on. */
  readonly madeOn: ContentHash;
  /** Where the content of this path goes in the same commit. */
  readonly movedTo?: WorkspacePath;
  /** The mode the file had where the change was made, when it was out of the ordinary. */
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

/** A link that is renamed stays a link, and goes on pointing where it pointed. */
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
