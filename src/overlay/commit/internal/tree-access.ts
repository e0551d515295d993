import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import type { DirectoryIdentity } from './directory-identity.ts';

/**
 * The directories of a workspace as one commit accesses them.
 *
 * Invariant: a call made through `on`, or on a name below `directory`, concerns the entry that the path led to,
 * through directories alone, when its directory was first used. It never follows a link. The string is valid until
 * the next directory is named, so it is used at once and synchronously; the names of pinned directories stay valid.
 */
export interface TreeAccess extends Disposable {
  /** The root directory itself. */
  readonly identity: DirectoryIdentity;
  /**
   * Makes one call on an entry. If a check afterwards shows that the call went elsewhere, `revert` undoes it before
   * the failure is thrown; with opened directories that does not happen.
   */
  on<T>(path: WorkspacePath, call: (entry: string) => T, revert?: (entry: string) => void): T;
  /** A name of the directory, to be followed by a slash and the name of an entry. */
  directory(path: WorkspacePath): string;
  /** Opens a directory and keeps it open until it is forgotten. */
  pin(path: WorkspacePath): DirectoryIdentity;
  /** Call when the directory was removed or recreated: its next use counts as its first. */
  forget(path: WorkspacePath): void;
  /** The directories used so far whose paths no longer lead to them. */
  misled(): readonly WorkspacePath[];
}
