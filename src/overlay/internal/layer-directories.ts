import type { FileContent } from '../../workspace/file-content.ts';
import type { DirectoryEntry } from '../../workspace/file-source.ts';
import { ancestorsOf, baseName, parentOf, type WorkspacePath } from '../../workspace/workspace-path.ts';

type Kind = DirectoryEntry['kind'];

/**
 * The directories implied by the files that a layer contains and removes.
 *
 * Invariant: built from one layer and never changed after, so an overlay can cache it.
 */
export class LayerDirectories {
  readonly #entries = new Map<WorkspacePath, Map<string, Kind>>();
  readonly #withRemovals = new Set<WorkspacePath>();

  constructor(layer: ReadonlyMap<WorkspacePath, FileContent | 'removed'>) {
    for (const [path, entry] of layer) {
      if (entry === 'removed') {
        for (const ancestor of ancestorsOf(path)) this.#withRemovals.add(ancestor);
        continue;
      }
      this.#add(path, entry.kind === 'symlink' ? 'symlink' : 'file');
      for (const ancestor of ancestorsOf(path)) this.#add(ancestor, 'directory');
    }
  }

  /** The entries that the layer itself adds directly to `directory`. */
  entriesOf(directory: WorkspacePath): Iterable<[string, Kind]> {
    return this.#entries.get(directory) ?? [];
  }

  hasRemovalBelow(directory: WorkspacePath): boolean {
    return this.#withRemovals.has(directory);
  }

  #add(path: WorkspacePath, kind: Kind): void {
    const directory = parentOf(path);
    const names = this.#entries.get(directory) ?? new Map<string, Kind>();
    names.set(baseName(path), kind);
    this.#entries.set(directory, names);
  }
}
