import type { FileContent } from './file-content.ts';
import type { WorkspacePath } from './workspace-path.ts';

/** A name in a directory of a file source. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink';
}

/**
 * The narrow waist: disk, Baseline and Overlay are all read through this, so overlays stack on anything.
 */
export interface FileSource {
  /** The content at `path`, or undefined where there is no file. */
  read(path: WorkspacePath): Promise<FileContent | undefined>;
  /** The names directly inside `directory`; empty where it does not exist. */
  list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]>;
}
