/**
 * The directories that searches, walks and watches skip: dependencies, build output, environments, caches and hidden
 * directories.
 *
 * Invariant: a directory of sources is never skipped because of its name alone. `build`, `dist`, `target` and
 * `vendor` are output only at the root or beside a manifest, and only with evidence: git ignores them, a compiler is
 * configured to write there, or the tool that created them left its marker. A hidden directory that a project
 * includes by name is not skipped.
 */
import { existsSync } from 'node:fs';
import { GitIgnores } from './internal/git-ignores.ts';
import { ProjectNames } from './internal/project-names.ts';
import {
  cacheNames,
  environmentMarker,
  packageNames,
  toolNames,
  transactionName,
  versionControlNames,
} from './known-directory.ts';
import type { Workspace } from './workspace.ts';
import { childOf, parentOf, rootPath, type WorkspacePath } from './workspace-path.ts';

/** Names that are never used for sources. */
const alwaysIgnored: ReadonlySet<string> = new Set([
  ...packageNames,
  ...versionControlNames,
  ...cacheNames,
  ...toolNames,
  transactionName,
]);

/** Names that are also used for sources. */
export const outputNames: ReadonlySet<string> = new Set(['target', 'build', 'dist', 'vendor']);

/** Markers that tools leave in their output directories. */
const outputMarks: readonly string[] = ['CACHEDIR.TAG', 'modules.txt', 'autoload.php'];

/** Markers of a Python environment with installed libraries. */
const environmentMarks: readonly string[] = [environmentMarker, 'conda-meta'];

/** Files beside which a tool puts build output or downloads. */
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

/**
 * Whether this is a manifest: its presence decides whether `build`, `dist`, `target` and `vendor` beside it are
 * output.
 */
export function isManifest(name: string): boolean {
  return manifests.includes(name);
}

/** Whether the content of a file with this name affects the rules. */
export function isIgnoreTerm(name: string): boolean {
  return name === '.gitignore' || /^(?:tsconfig|jsconfig)\b.*\.json$/.test(name);
}

/** The rules for one workspace; some of them read its files. */
export class IgnoreRules {
  readonly #workspace: Workspace;
  readonly #gitIgnores: GitIgnores;
  readonly #projects: ProjectNames;
  readonly #hasManifest = new Map<WorkspacePath, boolean>();
  readonly #decided = new Map<WorkspacePath, boolean>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#gitIgnores = new GitIgnores(workspace);
    this.#projects = new ProjectNames(workspace);
  }

  /** Whether the directory `name` inside `parent` is skipped. */
  ignoresDirectory(parent: WorkspacePath, name: string): boolean {
    if (alwaysIgnored.has(name)) return true;
    const path = childOf(parent, name);
    const known = this.#decided.get(path);
    if (known !== undefined) return known;
    const decided = this.#decide(parent, name);
    this.#decided.set(path, decided);
    return decided;
  }

  /** Like `ignoresDirectory`, for callers that treat output as sources. */
  hidesDirectory(parent: WorkspacePath, name: string): boolean {
    return !outputNames.has(name) && this.ignoresDirectory(parent, name);
  }

  /** Whether a file with this name, in a directory that is not skipped, is skipped itself. */
  ignoresFile(name: string): boolean {
    return alwaysIgnored.has(name);
  }

  /** Whether a file at `path` is skipped, by its name and its directories. */
  ignores(path: WorkspacePath): boolean {
    const segments = path.split('/');
    if (alwaysIgnored.has(segments.pop() ?? '')) return true;
    for (let at = parentOf(path); segments.length > 0; at = parentOf(at)) {
      const name = segments.pop() ?? '';
      if (this.ignoresDirectory(parentOf(at), name)) return true;
    }
    return false;
  }

  #decide(parent: WorkspacePath, name: string): boolean {
    const path = childOf(parent, name);
    if (name.startsWith('.')) return !this.#projects.include(path);
    if (this.#holds(path, environmentMarks)) return true;
    if (!outputNames.has(name) || !(parent === rootPath || this.#isBesideManifest(parent))) return false;
    if (this.#projects.include(path)) return false;
    return this.#holds(path, outputMarks) || this.#projects.writeTo(path) || this.#gitIgnores.ignore(path);
  }

  #isBesideManifest(directory: WorkspacePath): boolean {
    const known = this.#hasManifest.get(directory);
    if (known !== undefined) return known;
    const found = this.#holds(directory, manifests);
    this.#hasManifest.set(directory, found);
    return found;
  }

  #holds(directory: WorkspacePath, names: readonly string[]): boolean {
    const absolute = this.#workspace.absolute(directory);
    return names.some((name) => existsSync(`${absolute}/${name}`));
  }
}

/** The rules that need no file access, as globs for a watcher that filters events natively. */
export const ignoredGlobs: readonly string[] = [...alwaysIgnored].map((name) => `**/${name}/**`);
