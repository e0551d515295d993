/**
 * The files of a workspace for a search.
 *
 * Invariant: an unreadable file does not end the search. It is skipped, and the answer says so.
 */
import { Failure } from '../../base/failure.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { type DirectoryEntry, existsIn, type FileSource } from '../../workspace/file-source.ts';
import { listFilesBelow } from '../../workspace/file-walk.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { BadCall } from '../failure.ts';
import type { AnchoredPath } from '../files/path-anchor.ts';

export class SearchedFiles implements FileSource {
  readonly workspace: Workspace;
  readonly #source: FileSource;
  readonly #passedOver = new Set<WorkspacePath>();

  /** The search root must exist; otherwise an empty answer would be wrong. */
  static async below({ root, path, shown }: AnchoredPath): Promise<SearchedFiles> {
    if (path !== '' && !(await existsIn(root.overlay, path))) {
      throw new BadCall(`there is no file or directory ${shown}`, 'Check the path with Glob.');
    }
    return new SearchedFiles(root.workspace, root.overlay);
  }

  private constructor(workspace: Workspace, source: FileSource) {
    this.workspace = workspace;
    this.#source = source;
  }

  read(path: WorkspacePath): Promise<FileContent | undefined> {
    return this.#leniently(path, () => this.#source.read(path), undefined);
  }

  list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.#leniently(directory, () => this.#source.list(directory), []);
  }

  /** The files below a directory that are not ignored, or the file itself if `from` is one. */
  filesBelow(from: WorkspacePath, signal: AbortSignal): Promise<readonly WorkspacePath[]> {
    return listFilesBelow({ workspace: this.workspace, source: this, from }, { rule: 'unignored' }, signal);
  }

  /** Notes for the answer about files that were skipped; empty if everything was read. */
  caveats(): readonly string[] {
    const [first, ...others] = this.#passedOver;
    if (first === undefined) return [];
    return [`(not searched because it cannot be read: ${[first, ...others].slice(0, 5).join(', ')})`];
  }

  async #leniently<T>(path: WorkspacePath, look: () => Promise<T>, instead: T): Promise<T> {
    try {
      return await look();
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'workspace/unreadable') throw thrown;
      this.#passedOver.add(path);
      return instead;
    }
  }
}
