/**
 * The files of one workspace for a speculation: an overlay of its own, and a record of everything it looked at.
 *
 * Invariants: nothing of it reaches the disk; whatever it was shown stays as it was shown; whoever accepts it can tell
 * which of the things it rests on are different now. Stacked on another, it rests on what that one makes of the files.
 */
import { Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { DirectoryEntry, FileSource } from '../workspace/file-source.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';

export class SpeculativeFiles {
  /** Where work begins: a layer without changes. */
  readonly start: Overlay;
  readonly #ground: FileSource;
  readonly #reads: RecordedReads;

  private constructor(ground: FileSource, beneath: Overlay) {
    this.#ground = ground;
    this.#reads = new RecordedReads(ground);
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
    return new SpeculativeFiles(this.#ground, after.flattened());
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
    const looked = new Set([...files, ...after.layer().keys()]);
    const changed = await mapConcurrently([...looked], 16, async (path) => {
      const [then, today] = [await this.start.read(path), await now.read(path)];
      return hashContent(then) === hashContent(today) ? [] : [path];
    });
    const listed = await mapConcurrently([...directories], 16, async (path) => {
      const [then, today] = [await this.start.list(path), await now.list(path)];
      return listing(then) === listing(today) ? [] : [path];
    });
    return [...new Set([...changed, ...listed].flat())].sort(comparePaths);
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
