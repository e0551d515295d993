/**
 * Lists the files of a workspace, in the same order on every machine.
 *
 * Invariant: links are not followed, so a walk always ends and lists each file once. An unreadable directory has no
 * files.
 */
import { mapConcurrently } from './concurrency.ts';
import { directoryEntries } from './directory-entries.ts';
import { DiskSource, entryOf } from './disk-source.ts';
import type { FileSource } from './file-source.ts';
import { type EntryKind, IgnoreFile, isIgnoredBy } from './ignore-file.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { ignoreFilesAbove } from './internal/git-ignores.ts';
import { walkTree } from './tree-walk.ts';
import type { Workspace } from './workspace.ts';
import {
  ancestorsOf,
  baseName,
  childOf,
  comparePaths,
  parentOf,
  rootPath,
  type WorkspacePath,
} from './workspace-path.ts';

/**
 * What a walk excludes.
 *
 * `sources`: directories that no project reads, by `IgnoreRules`. Git's ignore files alone exclude nothing, so this
 * is sound for verdicts. `sources-and-outputs`: the same, but build output is included. `unignored`: additionally
 * everything that a `.gitignore` or `.ignore` file names, as in a search; for answers to a person or model, never for
 * verdicts.
 */
export type WalkRule = 'sources' | 'sources-and-outputs' | 'unignored';

/** Selects files; all given conditions must hold. */
export interface FileFilter {
  /** Default: `sources`. */
  readonly rule?: WalkRule;
  /** Extensions without their dot. */
  readonly extensions?: ReadonlySet<string>;
  /** Tests the last segment of a path. */
  readonly matches?: (name: string) => boolean;
  /** The walk ends soon after so many files were found; which ones is not determined. */
  readonly enough?: number;
}

/** The files on disk. */
export function listFiles(
  workspace: Workspace,
  filter: FileFilter,
  signal: AbortSignal,
): Promise<WorkspacePath[]> {
  return new FileWalk(workspace, diskEntries(workspace), filter).below(rootPath, signal);
}

/**
 * The files of any source, such as an overlay, below a directory; the file itself if `from` is one. A directory given
 * by the caller is entered even if a rule excludes it.
 */
export async function listFilesBelow(
  {
    workspace,
    source,
    from,
  }: { readonly workspace: Workspace; readonly source: FileSource; readonly from: WorkspacePath },
  filter: FileFilter,
  signal: AbortSignal,
): Promise<WorkspacePath[]> {
  const siblings = from === rootPath ? [] : await source.list(parentOf(from));
  if (siblings.some(({ name, kind }) => name === baseName(from) && kind === 'file')) return [from];
  return new FileWalk(workspace, source, filter).below(from, signal);
}

interface Directory {
  readonly path: WorkspacePath;
  /** The ignore files that apply in this directory, innermost first; empty if the rule does not use them. */
  readonly ignoreFiles: readonly IgnoreFile[];
}

const ignoreNames: readonly string[] = ['.gitignore', '.ignore'];

class FileWalk {
  readonly #workspace: Workspace;
  readonly #source: FileSource;
  readonly #filter: FileFilter;
  readonly #rules: IgnoreRules;
  readonly #found: WorkspacePath[] = [];

  constructor(workspace: Workspace, source: FileSource, filter: FileFilter) {
    this.#workspace = workspace;
    this.#source = source;
    this.#filter = filter;
    this.#rules = new IgnoreRules(workspace);
  }

  async below(from: WorkspacePath, signal: AbortSignal): Promise<WorkspacePath[]> {
    signal.throwIfAborted();
    const { enough = Number.POSITIVE_INFINITY } = this.#filter;
    const start = { path: from, ignoreFiles: await this.#outerIgnoreFiles(from) };
    const isDone = (): boolean => this.#found.length >= enough;
    await walkTree<Directory>(start, { visit: (directory) => this.#visit(directory), isDone }, signal);
    return this.#found.sort(comparePaths);
  }

  async #visit({ path: directory, ignoreFiles: outer }: Directory): Promise<readonly Directory[]> {
    const entries = await this.#source.list(directory);
    const hasOwn =
      this.#filter.rule === 'unignored' && entries.some(({ name }) => ignoreNames.includes(name));
    const ignoreFiles = hasOwn ? [...(await this.#ignoreFilesIn(directory)), ...outer] : outer;
    const below: Directory[] = [];
    for (const { name, kind } of entries) {
      const path = childOf(directory, name);
      if (kind === 'symlink' || this.#isLeftOut(directory, name, kind)) continue;
      if (ignoreFiles.length > 0 && isIgnoredBy(ignoreFiles, this.#workspace.absolute(path), kind)) continue;
      if (kind === 'directory') below.push({ path, ignoreFiles });
      else if (isWanted(name, this.#filter)) this.#found.push(path);
    }
    return below;
  }

  #isLeftOut(parent: WorkspacePath, name: string, kind: EntryKind): boolean {
    if (kind === 'file') return this.#rules.ignoresFile(name);
    return this.#filter.rule === 'sources-and-outputs'
      ? this.#rules.hidesDirectory(parent, name)
      : this.#rules.ignoresDirectory(parent, name);
  }

  async #outerIgnoreFiles(from: WorkspacePath): Promise<readonly IgnoreFile[]> {
    if (this.#filter.rule !== 'unignored') return [];
    const above = from === rootPath ? [] : [...ancestorsOf(from), rootPath];
    const inside = await mapConcurrently(above, 8, (directory) => this.#ignoreFilesIn(directory));
    return [...inside.flat(), ...ignoreFilesAbove(this.#workspace.root)];
  }

  async #ignoreFilesIn(directory: WorkspacePath): Promise<readonly IgnoreFile[]> {
    const own: IgnoreFile[] = [];
    for (const name of ignoreNames) {
      const content = await this.#source.read(childOf(directory, name));
      // `.ignore` is more specific and comes first.
      if (content?.kind === 'text')
        own.unshift(new IgnoreFile(this.#workspace.absolute(directory), content.text));
    }
    return own;
  }
}

/** The disk for a walk: without the link checks of `DiskSource`, since no link is followed. */
function diskEntries(workspace: Workspace): FileSource {
  const disk = new DiskSource(workspace);
  return {
    read: (path) => disk.read(path),
    list: async (directory) => (await directoryEntries(workspace.absolute(directory))).flatMap(entryOf),
  };
}

export function isWanted(name: string, filter: FileFilter): boolean {
  if (filter.extensions !== undefined) {
    const dot = name.lastIndexOf('.');
    if (dot < 0 || !filter.extensions.has(name.slice(dot + 1))) return false;
  }
  return filter.matches === undefined || filter.matches(name);
}
