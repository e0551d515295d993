/**
 * What no search, walk or watch looks into: dependencies, build output, caches and hidden directories.
 *
 * Invariant: a directory of sources is never left out for its name alone. `build`, `dist`, `target` and
 * `vendor` hold output at the root of a workspace and beside a manifest; anywhere else they are sources.
 */
import { existsSync } from 'node:fs';
import type { Workspace } from './workspace.ts';
import { parentOf, rootPath, type WorkspacePath } from './workspace-path.ts';

/** Names that are ignored whatever they name. */
const alwaysIgnored: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.svn',
  '.hg',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.next',
  '.cache',
  '.idea',
  '.vscode',
  // Where a commit of ours keeps what it is about to put in place, in a workspace without git.
  '.forerun-tx',
]);

/** Words that are also good names for sources. */
export const outputNames: ReadonlySet<string> = new Set(['target', 'build', 'dist', 'vendor']);

/** Files beside which a tool puts what it builds or fetches. */
const manifests: readonly string[] = [
  'package.json',
  'tsconfig.json',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'CMakeLists.txt',
  'Makefile',
  'pyproject.toml',
  'setup.py',
  '.git',
];

/** Whether files of this name decide what their neighbours are. */
export function isManifest(name: string): boolean {
  return manifests.includes(name);
}

/** The rules for one workspace, which needs to be looked at for some of them. */
export class IgnoreRules {
  readonly #workspace: Workspace;
  readonly #hasManifest = new Map<WorkspacePath, boolean>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Whether the directory called `name` inside `parent` is passed over. */
  ignoresDirectory(parent: WorkspacePath, name: string): boolean {
    if (name.startsWith('.') || alwaysIgnored.has(name)) return true;
    return outputNames.has(name) && (parent === rootPath || this.#isBesideManifest(parent));
  }

  /** Whether a file called `name`, in a directory that is not passed over, is passed over itself. */
  ignoresFile(name: string): boolean {
    return alwaysIgnored.has(name);
  }

  /** Whether a file at `path` is passed over, judged by its name and its directories. */
  ignores(path: WorkspacePath): boolean {
    const segments = path.split('/');
    if (alwaysIgnored.has(segments.pop() ?? '')) return true;
    for (let at = parentOf(path); segments.length > 0; at = parentOf(at)) {
      const name = segments.pop() ?? '';
      if (this.ignoresDirectory(parentOf(at), name)) return true;
    }
    return false;
  }

  #isBesideManifest(directory: WorkspacePath): boolean {
    const known = this.#hasManifest.get(directory);
    if (known !== undefined) return known;
    const absolute = this.#workspace.absolute(directory);
    const found = manifests.some((name) => existsSync(`${absolute}/${name}`));
    this.#hasManifest.set(directory, found);
    return found;
  }
}

/** What can be said without looking, as globs for a watcher that filters before it wakes us. */
export const ignoredGlobs: readonly string[] = [
  ...[...alwaysIgnored, '.*'].map((name) => `**/${name}/**`),
  ...[...outputNames].map((name) => `${name}/**`),
];
