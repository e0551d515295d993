/**
 * The files of one workspace for a speculation: an overlay of its own, and a record of everything it looked at.
 *
 * Invariants: nothing of it reaches the disk; whatever it was shown stays as it was shown; whoever accepts it can tell
 * which of the things it rests on are different now. Stacked on another, it rests on what that one makes of the files.
 * Once it has looked at more than can be listed, it rests on the whole tree but for the ignored directories.
 */
import { Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { isSameBytes } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { DirectoryEntry, FileSource } from '../workspace/file-source.ts';
import { FileTree } from '../workspace/file-tree.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';

/** The files of a speculation by workspace: a conversation and its forks share the workspaces, not their order. */
export type FilesByWorkspace = ReadonlyMap<Workspace, SpeculativeFiles>;

export class SpeculativeFiles {
  /** Where work begins: a layer without changes. */
  readonly start: Overlay;
  readonly #origin: FileSource;
  readonly #beneath: Overlay;
  readonly #reads: RecordedReads;
  /** The tree as it was before something looked at nobody knows what of it. */
  #tree: FileTree | undefined;
  /** What has changed in it since. */
  readonly #moved = new Set<WorkspacePath>();

  private constructor(origin: FileSource, beneath: Overlay) {
    this.#origin = origin;
    this.#beneath = beneath;
    this.#reads = new RecordedReads(origin);
    const base = new Baseline(this.#reads);
    const shown = Overlay.from({
      base,
      layer: beneath.layer(),
      renames: beneath.renames(),
      madeOn: new Map(),
    });
    this.start = Overlay.on(beneath.isEmpty ? base : shown);
  }

  /** On the files as a live view has them, which must be frozen beneath. */
  static on(live: Overlay): SpeculativeFiles {
    const beneath = live.flattened();
    return new SpeculativeFiles(beneath.base, beneath);
  }

  /** On what this one made of its files. What the new one looks at is not held against this one. */
  stacked(after: Overlay): SpeculativeFiles {
    return new SpeculativeFiles(this.#origin, after.flattened());
  }

  /** From here on a change to any file of the workspace counts as one to a file that was looked at. */
  async rememberTree(workspace: Workspace): Promise<void> {
    if (this.#tree) return;
    const tree = new FileTree(workspace, { entered: () => {}, left: () => {} });
    await tree.rescan();
    this.#tree = tree;
  }

  /** Holds on to what each change was made on, so that a later change by somebody else is noticed. */
  async freeze(after: Overlay): Promise<void> {
    for (const path of after.layer().keys()) await this.start.read(path);
  }

  /** What the speculation itself changed, as an overlay on what it was shown: that is what is committed. */
  changed(after: Overlay): Overlay {
    return Overlay.from({
      base: new Baseline(this.start),
      layer: after.layer(),
      renames: after.renames(),
      madeOn: new Map(),
    });
  }

  /** Whatever it looked at, or changes, that is not what it was shown any more. */
  async stale(now: FileSource, after: Overlay): Promise<readonly WorkspacePath[]> {
    const { files, directories } = this.#reads;
    for (const { path } of (await this.#tree?.rescan()) ?? []) this.#moved.add(path);
    // Where something lies beneath, the disk was not seen: it is enough that it holds the same now. Anywhere else a
    // file may have been seen at any moment, also one that is again what it was.
    const hidden = [...this.#moved].filter((path) => this.#beneath.has(path));
    const bare = [...this.#moved].filter((path) => !this.#beneath.has(path));
    const looked = new Set([...files, ...after.layer().keys(), ...hidden]);
    const changed = await mapConcurrently([...looked], 16, async (path) => {
      const [then, today] = [await this.start.read(path), await now.read(path)];
      return isSameBytes(then, today) ? [] : [path];
    });
    const listed = await mapConcurrently([...directories], 16, async (path) => {
      const [then, today] = [await this.start.list(path), await now.list(path)];
      return listing(then) === listing(today) ? [] : [path];
    });
    return [...new Set([...bare, ...changed.flat(), ...listed.flat()])].sort(comparePaths);
  }
}

/** A source that remembers what it was asked for. */
class RecordedReads implements FileSource {
  readonly files = new Set<WorkspacePath>();
  readonly directories = new Set<WorkspacePath>();
  readonly #source: FileSource;

  constructor(source: FileSource) {
    this.#source = source;
  }

  read(path: WorkspacePath): Promise<FileContent | undefined> {
    this.files.add(path);
    return this.#source.read(path);
  }

  list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    this.directories.add(directory);
    return this.#source.list(directory);
  }
}

function listing(entries: readonly DirectoryEntry[]): string {
  return entries.map(({ name, kind }) => `${kind} ${name}`).join('\n');
}
