/**
 * The files of one workspace for a speculation: an overlay, and a record of its reads.
 *
 * Invariants: nothing reaches the disk; files stay as they were first shown; acceptance can tell which dependencies
 * have changed. Files stacked on others depend on the result of those. After reads that cannot be listed, the
 * dependency is the whole tree except ignored directories.
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
  /** The starting point: an overlay without changes. */
  readonly start: Overlay;
  readonly #origin: FileSource;
  readonly #beneath: Overlay;
  readonly #reads: RecordedReads;
  /** A snapshot of the tree before the first read that cannot be listed. */
  #tree: FileTree | undefined;
  /** The paths changed since then. */
  readonly #moved = new Set<WorkspacePath>();

  private constructor(origin: FileSource, beneath: Overlay) {
    this.#origin = origin;
    this.#beneath = beneath;
    this.#reads = new RecordedReads(origin);
    const base = new Baseline(this.#reads);
    const shown = Overlay.on(base, { layer: beneath.layer(), renames: beneath.renames() });
    this.start = Overlay.on(beneath.isEmpty ? base : shown);
  }

  /** On the files of a live view, whose base must be frozen. */
  static on(live: Overlay): SpeculativeFiles {
    const beneath = live.flattened();
    return new SpeculativeFiles(beneath.base, beneath);
  }

  /** On the result of these files. Reads of the new ones are not dependencies of these. */
  stacked(after: Overlay): SpeculativeFiles {
    return new SpeculativeFiles(this.#origin, after.flattened());
  }

  /** From here on, a change to any file of the workspace counts as a change to a file that was read. */
  async rememberTree(workspace: Workspace): Promise<void> {
    if (this.#tree) return;
    const tree = new FileTree(workspace, { entered: () => {}, left: () => {} });
    await tree.rescan();
    this.#tree = tree;
  }

  /** Freezes the base of each change, so that a later change by another process is noticed. */
  async freeze(after: Overlay): Promise<void> {
    for (const path of after.layer().keys()) await this.start.read(path);
  }

  /** The changes of the speculation itself, as an overlay on the shown files: this is committed. */
  changed(after: Overlay): Overlay {
    return Overlay.on(new Baseline(this.start), { layer: after.layer(), renames: after.renames() });
  }

  /** The files it read or changes that are no longer as they were shown. */
  async stale(now: FileSource, after: Overlay): Promise<readonly WorkspacePath[]> {
    const { files, directories } = this.#reads;
    for (const { path } of (await this.#tree?.rescan()) ?? []) this.#moved.add(path);
    // If a lower layer has the file, the disk was not read: equal content is enough. Otherwise a file may have been
    // read at any moment, even if it has its old content again.
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

/** A source that records its reads. */
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
