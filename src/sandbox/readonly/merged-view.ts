/**
 * The files that a command will see: the workspace through its source, everything else on disk.
 *
 * Invariant: files of the workspace are read only through its source.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { errnoOf, isMissing } from '../../base/errno.ts';
import type { DirectoryEntry, FileSource } from '../../workspace/file-source.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { containsPath } from './program.ts';

export class MergedView {
  readonly root: string;
  readonly #source: FileSource;

  constructor(source: FileSource, root: string) {
    this.#source = source;
    this.root = root;
  }

  /** The names in a directory; empty if it does not exist. */
  async list(directory: string): Promise<readonly DirectoryEntry[]> {
    const path = this.#inside(directory);
    return path === undefined ? listOnDisk(directory) : this.#source.list(path);
  }

  /** The text of a file; undefined if it does not exist. */
  async readText(file: string): Promise<string | undefined> {
    const path = this.#inside(file);
    if (path === undefined) return readOnDisk(file);
    const content = await this.#source.read(path);
    if (content?.kind === 'text') return content.text;
    return content?.kind === 'binary' ? Buffer.from(content.bytes).toString('latin1') : undefined;
  }

  /** Whether a directory exists. Empty directories exist only on disk. */
  async isDirectory(directory: string): Promise<boolean> {
    if ((await this.list(directory)).length > 0) return true;
    return (await ignoringAbsence(stat(directory)))?.isDirectory() ?? false;
  }

  #inside(absolute: string): WorkspacePath | undefined {
    return containsPath(this.root, absolute) ? parseWorkspacePath(relative(this.root, absolute)) : undefined;
  }
}

async function listOnDisk(directory: string): Promise<readonly DirectoryEntry[]> {
  const entries = (await ignoringAbsence(readdir(directory, { withFileTypes: true }))) ?? [];
  return entries.map((entry) => {
    const kind = entry.isSymbolicLink() ? 'symlink' : entry.isDirectory() ? 'directory' : 'file';
    return { name: entry.name, kind };
  });
}

function readOnDisk(file: string): Promise<string | undefined> {
  return ignoringAbsence(readFile(file, 'utf8'));
}

/** Undefined if the file is missing or not accessible. */
export async function ignoringAbsence<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (isMissing(thrown) || ['EACCES', 'EISDIR', 'ELOOP', 'ENOTDIR'].includes(errnoOf(thrown) ?? ''))
      return undefined;
    throw thrown;
  }
}
