import { mapConcurrently } from '../workspace/concurrency.ts';
import { type ContentHash, hashContent } from '../workspace/content-hash.ts';
import { isOrdinaryMode } from '../workspace/disk-source.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { filesBelow } from '../workspace/files-below.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';

/** The change of one file between two states of a workspace. */
export interface FileChange {
  readonly path: WorkspacePath;
  readonly kind: 'created' | 'modified' | 'deleted' | 'renamed';
  /** The old path of a renamed file; `before` is its content there. */
  readonly from?: WorkspacePath;
  readonly before: FileContent | undefined;
  readonly after: FileContent | undefined;
  /** The hash of the content the change was made on; of a renamed file, at its old path. */
  readonly beforeHash: ContentHash;
}

/** A layer of changes and its base. */
export interface LayerOnBase {
  readonly base: FileSource;
  readonly layer: ReadonlyMap<WorkspacePath, FileContent | 'removed'>;
  readonly renames: ReadonlyMap<WorkspacePath, WorkspacePath>;
  /** Recorded hashes of base contents; they override the current contents of the base. */
  readonly madeOn: ReadonlyMap<WorkspacePath, ContentHash>;
}

/** The changes of a layer to its base, sorted by path. A write of equal content is no change. */
export async function findChanges(source: LayerOnBase): Promise<FileChange[]> {
  const found = await mapConcurrently([...source.layer], 16, async ([path, entry]) => {
    const before = await source.base.read(path);
    const replaced = before === undefined ? await hiddenFiles(source, path) : [];
    return [toChange(source, path, before, entry === 'removed' ? undefined : entry), ...replaced];
  });
  const changes = new Map<WorkspacePath, FileChange>();
  for (const change of found.flat()) if (change !== undefined) changes.set(change.path, change);
  joinRenames(changes, source.renames);
  return [...changes.values()].sort((a, b) => comparePaths(a.path, b.path));
}

/** Whether writing `after` over `before` would change nothing. A content without a mode keeps the existing mode. */
export function isSameContent(before: FileContent, after: FileContent): boolean {
  if (before.kind === 'text' && after.kind === 'text') {
    if (before.text !== after.text || (before.bom === true) !== (after.bom === true)) return false;
  } else if (hashContent(before) !== hashContent(after)) return false;
  if (before.kind === 'symlink' || after.kind === 'symlink') return before.kind === after.kind;
  if (after.mode === undefined || after.mode === before.mode) return true;
  return before.mode === undefined && isOrdinaryMode(after.mode);
}

/** The files of a base directory that the layer replaced by a file or removed as a whole. */
async function hiddenFiles(source: LayerOnBase, path: WorkspacePath): Promise<(FileChange | undefined)[]> {
  const paths = (await filesBelow(source.base, path)).filter((below) => !source.layer.has(below));
  return mapConcurrently(paths, 16, async (below) =>
    toChange(source, below, await source.base.read(below), undefined),
  );
}

function toChange(
  source: LayerOnBase,
  path: WorkspacePath,
  before: FileContent | undefined,
  after: FileContent | undefined,
): FileChange | undefined {
  const kind = kindOf(before, after);
  if (kind === undefined) return undefined;
  const recorded = source.madeOn.get(path);
  return {
    path,
    kind,
    before,
    after,
    // Computed on demand: a commit and a store need it, an evaluation does not.
    get beforeHash() {
      return recorded ?? hashContent(before);
    },
  };
}

function kindOf(
  before: FileContent | undefined,
  after: FileContent | undefined,
): FileChange['kind'] | undefined {
  if (before === undefined) return after === undefined ? undefined : 'created';
  if (after === undefined) return 'deleted';
  return isSameContent(before, after) ? undefined : 'modified';
}

/** Joins a creation and a deletion into one change if a rename explains them; each source is used once. */
function joinRenames(changes: Map<WorkspacePath, FileChange>, renames: LayerOnBase['renames']): void {
  for (const [to, from] of [...renames].sort(([a], [b]) => comparePaths(a, b))) {
    const created = changes.get(to);
    const deleted = changes.get(from);
    if (created?.kind !== 'created' || deleted?.kind !== 'deleted') continue;
    const { before, beforeHash } = deleted;
    changes.delete(from);
    changes.set(to, { ...created, kind: 'renamed', from, before, beforeHash });
  }
}
