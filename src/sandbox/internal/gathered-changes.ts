/**
 * The changes of commands as entries of an overlay.
 *
 * Invariant: a file equal to the shown one is not an entry; a path that another process changed on disk since the
 * tree was opened is a conflict and never an entry. Files are read synchronously, for the same reason as in
 * `DiskSource`.
 */
import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { isSameContent, type LayerEntry, Overlay } from '../../overlay/overlay.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { decodeContent } from '../../workspace/content-hash.ts';
import { isOrdinaryMode } from '../../workspace/disk-source.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { existsIn } from '../../workspace/file-source.ts';
import { filesBelow } from '../../workspace/files-below.ts';
import { ancestorsOf, comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { HarvestLimits, HarvestOutcome, LeftOut, WrittenOutside } from '../harvest.ts';
import { HarvestTooLarge } from '../sandbox-failure.ts';
import { findMoves } from './found-move.ts';
import { isInRepository, type TreeChanges } from './tree-changes.ts';

export interface HarvestedTree {
  /** The overlay the tree showed before the commands ran. */
  readonly shown: Overlay;
  /** The directory from which the tree is read now. */
  readonly tree: string;
  /** The real workspace. */
  readonly root: string;
  /** Whether another process changed a path of the workspace since the tree was opened. */
  readonly isChangedBelow: (path: WorkspacePath, now: BigIntStats | undefined) => boolean;
  /** Maps the target of a link in the tree to its target in the workspace; absent if they are equal. */
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
    (await existsIn(shown, path)) ? [path] : [],
  );
  await mapConcurrently(changes.written, 16, (path) => {
    signal.throwIfAborted();
    return gathering.take(path);
  });
  const gone = removals.flat();
  const moves = await findMoves(shown, gone, gathering.entries);
  // Last, so that a change made while we read is still detected.
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

  /** Overlay entries that are gone: without a file below, their removal leaves no whiteout. */
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
      // Committing its content would write through the link into another file.
      this.leftOut.push({ path, why: 'a file replaced a link to a file' });
      return;
    }
    this.#bytes += Number(stats.size);
    if (this.#bytes > limits.maxBytes) throw new HarvestTooLarge(`more than ${limits.maxBytes} bytes`);
    const content = decodeContent(readFileSync(join(tree, path)));
    const after = withBits(content, stats, before, statOf(join(root, path)));
    if (before === undefined || !isSameContent(before, after)) this.entries.set(path, after);
  }

  /** The changed paths that another process also changed on disk. */
  async conflicts(gone: readonly WorkspacePath[]): Promise<WorkspacePath[]> {
    const { shown } = this.#harvested;
    const replaced = await mapConcurrently([...gone, ...this.entries.keys()], 16, async (path) =>
      (await shown.read(path)) === undefined ? [path, ...(await filesBelow(shown, path))] : [path],
    );
    const touched = [...new Set(replaced.flat())].filter((path) => !this.#decides(path));
    const isChanged = (path: WorkspacePath): boolean => {
      const stats = statOf(join(this.#harvested.root, path));
      // A directory is not compared; its files are.
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

  /** Whether the overlay, not the workspace, determined the content at `path`. */
  #decides(path: WorkspacePath): boolean {
    return [path, ...ancestorsOf(path)].some((each) => this.#layer.has(each));
  }
}

/** The mode is included if it differs from the old file's, or is unusual in a new file. */
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
