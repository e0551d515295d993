/**
 * The files of a workspace as an overlay shows them: those on disk, those it created, and none it removed.
 *
 * Invariant: what is named explicitly is looked into; below it, ignored directories are not entered and links are not
 * followed, so that a walk ends and names each file once. The order is that of the paths, on every machine.
 */
import { IgnoreFile, type IgnoreVerdict } from '../../workspace/ignore-file.ts';
import { IgnoreRules } from '../../workspace/ignore-rules.ts';
import {
  ancestorsOf,
  baseName,
  childOf,
  comparePaths,
  parentOf,
  rootPath,
  type WorkspacePath,
} from '../../workspace/workspace-path.ts';
import type { SearchedFiles } from './searched-files.ts';

/** Every file below a directory, or the file itself where it is one. */
export async function mergedFiles(
  files: SearchedFiles,
  from: WorkspacePath,
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  if (from !== rootPath && (await isFile(files, from))) return [from];
  const walk = new Walk(files);
  const above = from === rootPath ? [] : [...ancestorsOf(from), rootPath];
  let ignoreFiles: readonly IgnoreFile[] = [];
  for (const directory of above.reverse()) ignoreFiles = await walk.entered(directory, ignoreFiles);
  let level: readonly Directory[] = [{ path: from, ignoreFiles }];
  while (level.length > 0) {
    signal.throwIfAborted();
    level = await walk.descend(level);
  }
  return walk.found.sort(comparePaths);
}

interface Directory {
  readonly path: WorkspacePath;
  /** Those that apply in it, innermost first. */
  readonly ignoreFiles: readonly IgnoreFile[];
}

const together = 32;
const ignoreNames = ['.gitignore', '.ignore'];

class Walk {
  readonly found: WorkspacePath[] = [];
  readonly #files: SearchedFiles;
  readonly #rules: IgnoreRules;

  constructor(files: SearchedFiles) {
    this.#files = files;
    this.#rules = new IgnoreRules(files.workspace);
  }

  /** Looks into directories of one depth and answers those below them. */
  async descend(level: readonly Directory[]): Promise<readonly Directory[]> {
    const below: Directory[] = [];
    for (let start = 0; start < level.length; start += together) {
      const answers = await Promise.all(level.slice(start, start + together).map((each) => this.#look(each)));
      below.push(...answers.flat());
    }
    return below;
  }

  async #look({ path: directory, ignoreFiles: outer }: Directory): Promise<readonly Directory[]> {
    const entries = await this.#files.list(directory);
    const hasOwn = entries.some(({ name }) => ignoreNames.includes(name));
    const ignoreFiles = hasOwn ? await this.entered(directory, outer) : outer;
    const below: Directory[] = [];
    for (const { name, kind } of entries) {
      const path = childOf(directory, name);
      if (kind === 'directory') {
        if (this.#rules.ignoresDirectory(directory, name)) continue;
        if (verdictOf(ignoreFiles, path, 'directory') !== 'ignored') below.push({ path, ignoreFiles });
      } else if (kind === 'file' && verdictOf(ignoreFiles, path, 'file') !== 'ignored') {
        this.found.push(path);
      }
    }
    return below;
  }

  /** The ignore files that apply inside a directory. */
  async entered(directory: WorkspacePath, outer: readonly IgnoreFile[]): Promise<readonly IgnoreFile[]> {
    const own: IgnoreFile[] = [];
    for (const name of ignoreNames) {
      const content = await this.#files.read(childOf(directory, name));
      // The more particular of the two comes first.
      if (content?.kind === 'text') own.unshift(new IgnoreFile(directory, content.text));
    }
    return [...own, ...outer];
  }
}

function verdictOf(
  ignoreFiles: readonly IgnoreFile[],
  path: WorkspacePath,
  kind: 'file' | 'directory',
): IgnoreVerdict {
  for (const file of ignoreFiles) {
    const verdict = file.verdict(path, kind);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

async function isFile(files: SearchedFiles, path: WorkspacePath): Promise<boolean> {
  const entry = (await files.list(parentOf(path))).find(({ name }) => name === baseName(path));
  return entry?.kind === 'file';
}
