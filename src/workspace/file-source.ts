import type { FileContent } from './file-content.ts';
import type { WorkspacePath } from './workspace-path.ts';

/** A name in a directory of a file source. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'symlink';
}

/** The common interface of disk, Baseline and Overlay, so that an overlay can be based on any of them. */
export interface FileSource {
  /** The content at `path`; undefined if there is no file. */
  read(path: WorkspacePath): Promise<FileContent | undefined>;
  /** The names directly inside `directory`; empty if it does not exist. */
  list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]>;
}

/** Whether there is a file at `path`, or a directory with something in it. */
export async function existsIn(source: FileSource, path: WorkspacePath): Promise<boolean> {
  return (await source.read(path)) !== undefined || (await source.list(path)).length > 0;
}
