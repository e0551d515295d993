import { type ContentHash, hashContent } from './content-hash.ts';
import type { FileContent } from './file-content.ts';
import type { DirectoryEntry, FileSource } from './file-source.ts';
import type { WorkspacePath } from './workspace-path.ts';

/**
 * The contents that speculation starts from: each path and each listing is frozen when it is first read.
 *
 * Invariant: two reads of one path give the same answer, whatever changes on disk in between. A path that is
 * overwritten without being read is frozen only when its change is first compared. A caller that overwrites a path
 * without using its content, and wants a later change on disk to be a conflict, must read it first.
 */
export class Baseline implements FileSource {
  readonly #source: FileSource;
  readonly #contents = new Map<WorkspacePath, Promise<FileContent | undefined>>();
  readonly #listings = new Map<WorkspacePath, Promise<readonly DirectoryEntry[]>>();
  readonly #settled = new Map<WorkspacePath, FileContent | undefined>();

  constructor(source: FileSource) {
    this.#source = source;
  }

  read(path: WorkspacePath): Promise<FileContent | undefined> {
    return freeze(this.#contents, path, async () => {
      const content = await this.#source.read(path);
      this.#settled.set(path, content);
      return content;
    });
  }

  list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return freeze(this.#listings, directory, () => this.#source.list(directory));
  }

  /** The hash of every path read so far, including missing paths. */
  frozen(): ReadonlyMap<WorkspacePath, ContentHash> {
    return new Map([...this.#settled].map(([path, content]) => [path, hashContent(content)]));
  }
}

/** A failed read freezes nothing: the next one tries again. */
function freeze<T>(
  frozen: Map<WorkspacePath, Promise<T>>,
  path: WorkspacePath,
  read: () => Promise<T>,
): Promise<T> {
  const known = frozen.get(path);
  if (known !== undefined) return known;
  const reading = read();
  frozen.set(path, reading);
  reading.catch(() => frozen.delete(path));
  return reading;
}
