/** The Overlay, what it changes, and the operations on its files that are written in terms of reading and writing it. */
import { mapConcurrently } from '../workspace/concurrency.ts';
import { type ContentHash, hashContent } from '../workspace/content-hash.ts';
import { isOrdinaryMode } from '../workspace/disk-source.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { type DirectoryEntry, existsIn, type FileSource } from '../workspace/file-source.ts';
import { filesBelow } from '../workspace/files-below.ts';
import {
  ancestorsOf,
  childOf,
  comparePaths,
  isBelow,
  moveBelow,
  type WorkspacePath,
} from '../workspace/workspace-path.ts';
import { LayerDirectories } from './internal/layer-directories.ts';
import { NoSuchFile, NotAFilePath, NotText } from './overlay-failure.ts';

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

/** One layer's entry for a path: its content, or that it was removed. */
export type LayerEntry = FileContent | 'removed';

/** A file that moved from one path to another. */
export interface Move {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/**
 * A file source with changes applied over it.
 *
 * Invariant: no method alters an Overlay, and none touches the disk. Keeping a reference is a fork, dropping it a
 * rollback. An entry of the layer hides everything in the base at its path and below, so one `removed` entry removes
 * a whole directory; a directory exists as long as it contains a file.
 */
export class Overlay implements FileSource {
  readonly base: FileSource;
  readonly #layer: LayerOnBase['layer'];
  readonly #renames: LayerOnBase['renames'];
  readonly #madeOn: LayerOnBase['madeOn'];
  #directories: LayerDirectories | undefined;

  private constructor({ base, layer, renames, madeOn }: LayerOnBase) {
    this.base = base;
    this.#layer = layer;
    this.#renames = renames;
    this.#madeOn = madeOn;
  }

  /** An overlay without changes or, as read from a store, with these. */
  static on(base: FileSource, { layer, renames, madeOn }: Partial<Omit<LayerOnBase, 'base'>> = {}): Overlay {
    return new Overlay({
      base,
      layer: new Map(layer),
      renames: new Map(renames),
      madeOn: new Map(madeOn),
    });
  }

  /** Whether this layer changes nothing; the layers beneath it may. */
  get isEmpty(): boolean {
    return this.#layer.size === 0;
  }

  /** This layer alone. A directory removed as a whole is one entry. */
  layer(): ReadonlyMap<WorkspacePath, LayerEntry> {
    return this.#layer;
  }

  /** The renames of this layer, new path to old; later edits may have made some of them obsolete. */
  renames(): ReadonlyMap<WorkspacePath, WorkspacePath> {
    return this.#renames;
  }

  /** Whether this layer, rather than its base, decides what is at `path`. */
  has(path: WorkspacePath): boolean {
    return this.#layer.size > 0 && (this.#layer.has(path) || this.#isHidden(path));
  }

  async read(path: WorkspacePath): Promise<FileContent | undefined> {
    const entry = this.#layer.get(path);
    if (entry !== undefined) return entry === 'removed' ? undefined : entry;
    return this.has(path) ? undefined : this.base.read(path);
  }

  async list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    if (this.#layer.size === 0) return this.base.list(directory);
    const entries = new Map<string, DirectoryEntry>();
    if (!this.has(directory)) {
      for (const entry of await this.base.list(directory)) {
        if (await this.#survives(directory, entry)) entries.set(entry.name, entry);
      }
    }
    for (const [name, kind] of this.#layerDirectories().entriesOf(directory))
      entries.set(name, { name, kind });
    return [...entries.values()].sort((a, b) => comparePaths(a.name, b.name));
  }

  write(path: WorkspacePath, content: FileContent): Overlay {
    return this.writeAll([[path, content]]);
  }

  /** Many writes and removals, one after the other, in one copy; `moves` says which of them renamed a file. */
  writeAll(entries: Iterable<readonly [WorkspacePath, LayerEntry]>, moves: readonly Move[] = []): Overlay {
    const layer = nextLayer(this.#layer, [...entries]);
    const renames = new Map(this.#renames);
    for (const { from } of moves) renames.delete(from);
    for (const { from, to } of moves) {
      const origin = this.#renames.get(from) ?? from;
      if (origin !== to) renames.set(to, origin);
    }
    for (const to of renames.keys()) if (!isContent(layer.get(to))) renames.delete(to);
    return new Overlay({ base: this.base, layer, renames, madeOn: this.#madeOn });
  }

  /** Writes text, keeping the byte order mark and the mode of a text this layer already has there. */
  writeText(path: WorkspacePath, text: string): Overlay {
    const known = this.#layer.get(path);
    const kept = isContent(known) && known.kind === 'text' ? known : undefined;
    return this.write(path, { ...kept, kind: 'text', text });
  }

  /** Removes a file, or a directory with everything in it. */
  remove(path: WorkspacePath): Overlay {
    return this.writeAll([[path, 'removed']]);
  }

  /**
   * The changes of this layer to its base or, with `'stack'`, of all layers to the source at the bottom. Sorted by
   * path; a write of equal content is no change.
   */
  async changes(against: 'layer' | 'stack' = 'layer'): Promise<FileChange[]> {
    if (against === 'stack') return this.flattened().changes();
    return findChanges({ base: this.base, layer: this.#layer, renames: this.#renames, madeOn: this.#madeOn });
  }

  /** The same contents as one layer over the source at the bottom of the stack. */
  flattened(): Overlay {
    if (!(this.base instanceof Overlay)) return this;
    const below = this.base.flattened();
    const layer = new Map([...below.#layer].filter(([path]) => !this.#isHidden(path)));
    for (const [path, entry] of this.#layer) layer.set(path, entry);
    const renames = new Map(below.#renames);
    for (const [to, from] of this.#renames) renames.set(to, below.#renames.get(from) ?? from);
    return new Overlay({ base: below.base, layer, renames, madeOn: below.#madeOn });
  }

  /** Whether `path` is hidden by an entry of this layer above it. */
  #isHidden(path: WorkspacePath): boolean {
    return ancestorsOf(path).some((ancestor) => this.#layer.has(ancestor));
  }

  /** Whether a name the base lists still exists: neither replaced nor a directory emptied by removals. */
  async #survives(directory: WorkspacePath, entry: DirectoryEntry): Promise<boolean> {
    const path = childOf(directory, entry.name);
    if (this.#layer.has(path)) return false;
    if (entry.kind !== 'directory' || !this.#layerDirectories().hasRemovalBelow(path)) return true;
    return (await this.list(path)).length > 0;
  }

  #layerDirectories(): LayerDirectories {
    this.#directories ??= new LayerDirectories(this.#layer);
    return this.#directories;
  }
}

/** The text at `path`; fails if there is none. */
export async function readText(
  source: FileSource,
  path: WorkspacePath,
): Promise<FileContent & { readonly kind: 'text' }> {
  const content = await source.read(path);
  if (content === undefined) throw new NoSuchFile(path);
  if (content.kind !== 'text') throw new NotText(path);
  return content;
}

/** Rewrites an existing text, keeping its byte order mark and mode. */
export async function editText(
  overlay: Overlay,
  path: WorkspacePath,
  edit: (text: string) => string,
): Promise<Overlay> {
  const content = await readText(overlay, path);
  return overlay.write(path, { ...content, text: edit(content.text) });
}

/** Moves a file, or a directory with everything in it, and replaces whatever is at `to`. */
export async function moveFile(overlay: Overlay, from: WorkspacePath, to: WorkspacePath): Promise<Overlay> {
  if (from === to) return overlay;
  const isFile = (await overlay.read(from)) !== undefined;
  if (!isFile && isBelow(to, from)) throw new NotAFilePath(from);
  const paths = isFile ? [from] : await filesBelow(overlay, from);
  if (paths.length === 0) throw new NoSuchFile(from);
  const moves = paths.map((path) => ({ from: path, to: moveBelow(path, from, to) }));
  const contents = await mapConcurrently(paths, 16, (path) => overlay.read(path));
  const written = moves.map((move, index) => [move.to, contents[index] ?? 'removed'] as const);
  const cleared = !isFile && (await existsIn(overlay, to)) ? [[to, 'removed'] as const] : [];
  return overlay.writeAll([[from, 'removed'], ...cleared, ...written], moves);
}

/**
 * A copy of `layer` with `entries` set in it, one after the other.
 *
 * Invariant: in the result no file has anything below it. The later entry wins: a file replaces what was below its
 * path, and an entry below a file replaces the file.
 */
function nextLayer(
  layer: ReadonlyMap<WorkspacePath, LayerEntry>,
  entries: readonly (readonly [WorkspacePath, LayerEntry])[],
): ReadonlyMap<WorkspacePath, LayerEntry> {
  const next = new Map(layer);
  // A single entry scans the layer for paths below it; for many, an index of directories avoids most scans.
  const directories = entries.length > 4 ? directoriesOf(next.keys()) : undefined;
  for (const [path, entry] of entries) {
    if (path === '') throw new NotAFilePath(path);
    if (directories === undefined || directories.has(path)) dropBelow(next, path);
    for (const ancestor of ancestorsOf(path)) {
      if (isContent(next.get(ancestor)) && isContent(entry)) next.set(ancestor, 'removed');
      directories?.add(ancestor);
    }
    next.set(path, entry);
  }
  return next;
}

function isContent(entry: LayerEntry | undefined): entry is FileContent {
  return entry !== undefined && entry !== 'removed';
}

function directoriesOf(paths: Iterable<WorkspacePath>): Set<WorkspacePath> {
  const directories = new Set<WorkspacePath>();
  for (const path of paths) for (const ancestor of ancestorsOf(path)) directories.add(ancestor);
  return directories;
}

function dropBelow(layer: Map<WorkspacePath, LayerEntry>, directory: WorkspacePath): void {
  for (const path of layer.keys()) if (isBelow(path, directory)) layer.delete(path);
}

/** The changes of a layer to its base, sorted by path. A write of equal content is no change. */
async function findChanges(source: LayerOnBase): Promise<FileChange[]> {
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
