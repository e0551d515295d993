import { type Dirent, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { sep } from 'node:path';
import { errnoOf, isMissing } from '../base/errno.ts';
import { Failure, messageOf } from '../base/failure.ts';
import { decodeContent } from './content-hash.ts';
import type { FileContent } from './file-content.ts';
import type { DirectoryEntry, FileSource } from './file-source.ts';
import type { Workspace } from './workspace.ts';
import { comparePaths, type WorkspacePath } from './workspace-path.ts';

/**
 * The current files of the workspace on disk; nothing is cached between calls. A file is read synchronously: that
 * takes microseconds, a trip through the thread pool takes longer, and every verdict reads files.
 *
 * Invariant: content from outside the workspace is never returned. A link to a file inside is followed; any other
 * link is itself the content, and a path through a link out of the workspace is absent.
 */
export class DiskSource implements FileSource {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  async read(path: WorkspacePath): Promise<FileContent | undefined> {
    const absolute = this.#workspace.absolute(path);
    try {
      const real = this.#real(absolute);
      if (real === undefined) return this.#link(absolute);
      const stats = statSync(real);
      if (stats.isDirectory()) return real === absolute ? undefined : this.#link(absolute);
      if (!stats.isFile()) return undefined;
      return withMode(decodeContent(readFileSync(real)), stats.mode);
    } catch (thrown) {
      if (isMissing(thrown) || errnoOf(thrown) === 'EISDIR') return undefined;
      throw new UnreadableFile(path, thrown);
    }
  }

  async list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    try {
      const real = this.#real(this.#workspace.absolute(directory));
      if (real === undefined) return [];
      const entries = await readdir(real, { withFileTypes: true });
      return entries.flatMap(entryOf).sort((a, b) => comparePaths(a.name, b.name));
    } catch (thrown) {
      if (isMissing(thrown)) return [];
      throw new UnreadableFile(directory, thrown);
    }
  }

  /** The real path; undefined if it does not resolve or resolves to outside the workspace. */
  #real(absolute: string): string | undefined {
    try {
      const real = realpathSync.native(absolute);
      const { root } = this.#workspace;
      return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep) ? real : undefined;
    } catch (thrown) {
      if (isMissing(thrown) || errnoOf(thrown) === 'ELOOP') return undefined;
      throw thrown;
    }
  }

  /** The entry itself, if it is a link whose directory is inside the workspace. */
  #link(absolute: string): FileContent | undefined {
    if (!lstatSync(absolute).isSymbolicLink()) return undefined;
    const directory = absolute.slice(0, Math.max(absolute.lastIndexOf(sep), 1));
    if (this.#real(directory) === undefined) return undefined;
    return { kind: 'symlink', target: readlinkSync(absolute) };
  }
}

class UnreadableFile extends Failure {
  readonly code = 'workspace/unreadable';
  readonly remedy = 'Check the permissions of the file and its directories.';

  constructor(path: WorkspacePath, cause: unknown) {
    super(`cannot read "${path}": ${messageOf(cause)}`, { cause });
  }
}

/** An entry of a listing; none for pipes, sockets and devices, which no source contains. */
export function entryOf(entry: Dirent): DirectoryEntry[] {
  if (entry.isFile()) return [{ name: entry.name, kind: 'file' }];
  if (entry.isDirectory()) return [{ name: entry.name, kind: 'directory' }];
  if (entry.isSymbolicLink()) return [{ name: entry.name, kind: 'symlink' }];
  return [];
}

/** Ordinary mode bits are not recorded; others must survive a move. */
function withMode(content: FileContent, mode: number): FileContent {
  const bits = mode & 0o7777;
  if (content.kind === 'symlink' || isOrdinaryMode(bits)) return content;
  return { ...content, mode: bits };
}

/** The modes that the two usual umasks give a plain file. */
export function isOrdinaryMode(bits: number): boolean {
  return bits === 0o644 || bits === 0o664;
}
