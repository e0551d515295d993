/**
 * The changes of commands as entries of an overlay.
 *
 * Invariant: what is equal to what was shown is no entry; a path changed on disk since the tree was opened, by
 * somebody else, is a conflict and never an entry. Files are looked at at once, as by `DiskSource` and for its reason.
 */
import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { isSameContent } from '../../overlay/file-change.ts';
import { type LayerEntry, Overlay } from '../../overlay/overlay.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { decodeContent } from '../../workspace/content-hash.ts';
import { isOrdinaryMode } from '../../workspace/disk-source.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { filesBelow } from '../../workspace/files-below.ts';
import { ancestorsOf, comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { HarvestLimits, HarvestOutcome, LeftOut, WrittenOutside } from '../harvest.ts';
import { HarvestTooLarge } from '../sandbox-failure.ts';
import { findMoves } from './found-move.ts';
import { isInRepository, type TreeChanges } from './tree-changes.ts';

export interface HarvestedTree {
  /** The overlay the tree showed before the commands ran. */
  readonly shown: Overlay;
  /** Where the tree is read now. */
  readonly tree: string;
  /** The workspace as it is. */
  readonly root: string;
  /** Whether what is at a path of the workspace was changed by somebody since the tree was opened. */
  readonly isChangedBelow: (path: WorkspacePath, now: BigIntStats | undefined) => boolean;
  /** The link a link of the tree stands for in the workspace; absent where they are the same. */
  readonly linkTarget?: (target: string) => string;
  readonly limits: HarvestLimits;
  readonly outside: WrittenOutside;
}

export async function gatherChanges(
  harvested: HarvestedTree,
  changes: TreeChanges,
  signal: AbortSignal,
): Promise<HarvestOutcome> {
  const { shown } = harvested;
  const tooMany = changes.written.length - harvested.limits.maxFiles;
  if (tooMany > 0) throw new HarvestTooLarge(`${changes.written.length} files`);
  const gathering = new Gathering(harvested);
  const removed = [...changes.removed, ...gathering.vanished()];
  const removals = await mapConcurrently(removed, 16, async (path) =>
    (await shown.holds(path)) ? [path] : [],
  );
  await mapConcurrently(changes.written, 16, (path) => {
    signal.throwIfAborted();
    return gathering.take(path);
  });
  const gone = removals.flat();
  const moves = await findMoves(shown, gone, gathering.entries);
  // Last of all, so that a change made while we read is still seen.
  const conflicts = await gathering.conflicts(gone);
  if (conflicts.length > 0) return { kind: 'conflict', paths: conflicts };
  const entries: (readonly [WorkspacePath, LayerEntry])[] = [
    ...gone.map((path) => [path, 'removed'] as const),
    ...gathering.entries,
  ];
  return {
    kind: 'harvested',
    overlay: entries.length === 0 ? shown : shown.writeAll(entries, moves),
    made: Overlay.on(shown).writeAll(entries, moves),
    repository: changes.repository,
    leftOut: [...changes.leftOut, ...gathering.leftOut],
    outside: harvested.outside,
  };
}

class Gathering {
  readonly entries = new Map<WorkspacePath, FileContent>();
  readonly leftOut: LeftOut[] = [];
  readonly #harvested: HarvestedTree;
  readonly #layer: ReadonlyMap<WorkspacePath, LayerEntry>;
  #bytes = 0;

  constructor(harvested: HarvestedTree) {
    this.#harvested = harvested;
    this.#layer = harvested.shown.flattened().layer();
  }

  /** What the overlay had put there and is there no more: without a file below, its removal leaves no mark. */
  vanished(): WorkspacePath[] {
    const put = [...this.#layer].filter(([path, entry]) => entry !== 'removed' && !isInRepository(path));
    return put.map(([path]) => path).filter((path) => statOf(join(this.#harvested.tree, path)) === undefined);
  }

  async take(path: WorkspacePath): Promise<void> {
    const { shown, tree, root, limits } = this.#harvested;
    const stats = statOf(join(tree, path));
    if (stats === undefined) return;
    const below = this.#decides(path) ? undefined : statOf(join(root, path));
    const before = await shown.read(path);
    if (stats.isSymbolicLink())
      return this.#takeLink(path, { before, isLinkBelow: below?.isSymbolicLink() === true });
    if (below?.isSymbolicLink() && before?.kind !== 'symlink') {
      // Committed, its content would go through the link into another file.
      this.leftOut.push({ path, why: 'a file took the place of a link to a file' });
      return;
    }
    this.#bytes += Number(stats.size);
    if (this.#bytes > limits.maxBytes) throw new HarvestTooLarge(`more than ${limits.maxBytes} bytes`);
    const content = decodeContent(readFileSync(join(tree, path)));
    const after = withBits(content, stats, before, statOf(join(root, path)));
    if (before === undefined || !isSameContent(before, after)) this.entries.set(path, after);
  }

  /** Paths, among those that changed, that somebody else changed on disk since. */
  async conflicts(gone: readonly WorkspacePath[]): Promise<WorkspacePath[]> {
    const { shown } = this.#harvested;
    const replaced = await mapConcurrently([...gone, ...this.entries.keys()], 16, async (path) =>
      (await shown.read(path)) === undefined ? [path, ...(await filesBelow(shown, path))] : [path],
    );
    const touched = [...new Set(replaced.flat())].filter((path) => !this.#decides(path));
    const isChanged = (path: WorkspacePath): boolean => {
      const stats = statOf(join(this.#harvested.root, path));
      // A directory is there for its files, which are looked at one by one.
      return !stats?.isDirectory() && this.#harvested.isChangedBelow(path, stats);
    };
    return touched.filter(isChanged).sort(comparePaths);
  }

  #takeLink(
    path: WorkspacePath,
    { before, isLinkBelow }: { readonly before: FileContent | undefined; readonly isLinkBelow?: boolean },
  ): void {
    const { tree, root, linkTarget = (target) => target } = this.#harvested;
    const target = linkTarget(readlinkSync(join(tree, path)));
    const isSame = before?.kind === 'symlink' && before.target === target;
    if (isSame || (isLinkBelow && readlinkSync(join(root, path)) === target)) return;
    this.entries.set(path, { kind: 'symlink', target });
  }

  /** Whether the overlay, rather than the workspace, had decided what is at `path`. */
  #decides(path: WorkspacePath): boolean {
    return [path, ...ancestorsOf(path)].some((each) => this.#layer.has(each));
  }
}

/** Bits are carried where they differ from those the file had, or are out of the ordinary in a new one. */
function withBits(
  content: FileContent,
  stats: BigIntStats,
  before: FileContent | undefined,
  below: BigIntStats | undefined,
): FileContent {
  if (content.kind === 'symlink') return content;
  const bits = bitsOf(stats);
  const known = before === undefined || before.kind === 'symlink' ? undefined : before;
  const usual = known?.mode ?? (known && below?.isFile() ? bitsOf(below) : undefined);
  const isUsual = bits === usual || (usual === undefined && isOrdinaryMode(bits));
  const mode = isUsual ? known?.mode : bits;
  return mode === undefined ? content : { ...content, mode };
}

function bitsOf(stats: BigIntStats): number {
  return Number(stats.mode & 0o7777n);
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
