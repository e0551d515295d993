import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import type { DirectoryIdentity } from './directory-identity.ts';

/**
 * The directories of a workspace as one commit uses them.
 *
 * Invariant: a call made through `on`, or on a name below `directory`, concerns the entry that the path led to, through
 * directories alone, when its directory was first used. It never follows a link. The string is valid until the next
 * directory is named, so it is used at once and synchronously; the names of pinned directories stay valid.
 */
export interface TreeAccess extends Disposable {
  /** The root directory itself. */
  readonly identity: DirectoryIdentity;
  /**
   * Makes one call on an entry. Where only a look afterwards shows that the call went elsewhere, `revert` takes it
   * back before the failure is thrown; with opened directories that does not happen.
   */
  on<T>(path: WorkspacePath, call: (entry: string) => T, revert?: (entry: string) => void): T;
  /** A name of the directory, to put a slash and the name of an entry after. */
  directory(path: WorkspacePath): string;
  /** Opens a directory and keeps it open until it is forgotten. */
  pin(path: WorkspacePath): DirectoryIdentity;
  /** The directory was removed or made anew: its next use is its first. */
  forget(path: WorkspacePath): void;
  /** Those directories used so far that their paths no longer lead to. */
  misled(): readonly WorkspacePath[];
}
