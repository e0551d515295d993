import { type ContentHash, hashContent } from './content-hash.ts';
import type { FileContent } from './file-content.ts';
import type { DirectoryEntry, FileSource } from './file-source.ts';
import type { WorkspacePath } from './workspace-path.ts';

/**
 * The contents speculation starts from: each path and each listing is frozen when it is first read.
 *
 * Invariant: two reads of one path give the same answer, whatever happens beneath in between. A path that
 * is overwritten without having been read is frozen only when its change is first compared, so whoever
 * writes blindly and wants a later change on disk to count as a conflict reads it first.
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

  /** The hash of every path read so far; a path found absent is in it as well. */
  frozen(): ReadonlyMap<WorkspacePath, ContentHash> {
    return new Map([...this.#settled].map(([path, content]) => [path, hashContent(content)]));
  }
}

/** A read that failed froze nothing: the next one tries again. */
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
