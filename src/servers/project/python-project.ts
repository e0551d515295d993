/**
 * Which Python files a project checks, by the configuration of pyright and its descendants.
 *
 * The checker reports on the files that the configuration includes; a language server reports on every open file.
 *
 * Invariant: a file is reported as unchecked only if the checker, run on the same files, would skip it.
 */

import { posix } from 'node:path';
import { parse as parseToml, TomlError } from 'smol-toml';
import { fieldOf } from '../../base/record.ts';
import { parseLooseJson, stringsIn } from '../../graph/reach/keys/loose-json.ts';

const { dirname, join } = posix;

/** Access to files, by absolute path with `/` between its segments. */
export interface ProjectFiles {
  readText(path: string): string | undefined;
  /** Whether there is a file or directory. */
  exists(path: string): boolean;
}

export class PythonProject {
  readonly #include: readonly RegExp[];
  readonly #exclude: readonly RegExp[];
  readonly #files: ProjectFiles;
  readonly #environments = new Map<string, boolean>();
  /** The configuration in effect, if any; absolute. */
  readonly config: string | undefined;

  /**
   * The project of a workspace at the absolute path `root`, for the checker called `tool`; undefined if its
   * configuration cannot be parsed.
   */
  static read(root: string, tool: string, files: ProjectFiles): PythonProject | undefined {
    try {
      return new PythonProject(root, tool, files);
    } catch (thrown) {
      if (thrown instanceof SyntaxError || thrown instanceof TomlError) return undefined;
      throw thrown;
    }
  }

  private constructor(root: string, tool: string, files: ProjectFiles) {
    this.#files = files;
    const found = findConfig(root, tool, files);
    this.config = found?.path;
    const directory = found === undefined ? root : dirname(found.path);
    const include = specsOf(found, 'include');
    this.#include = include.length > 0 ? include : [specPattern(directory, '.')];
    this.#exclude = [
      ...specsOf(found, 'exclude'),
      ...defaultExcludes.map((spec) => specPattern(directory, spec)),
    ];
  }

  /** Whether the checker reports on the file at an absolute path. */
  checks(path: string): boolean {
    if (!/\.pyi?$/.test(path) || !this.#include.some((spec) => spec.test(path))) return false;
    return !this.#exclude.some((spec) => spec.test(path)) && !this.#isInEnvironment(path);
  }

  /** Virtual environments are skipped wherever they lie. */
  #isInEnvironment(path: string): boolean {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      if (!this.#include.some((spec) => spec.test(at))) return false;
      const isEnvironment = this.#environments.get(at) ?? this.#looksLikeEnvironment(at);
      this.#environments.set(at, isEnvironment);
      if (isEnvironment) return true;
    }
    return false;
  }

  #looksLikeEnvironment(directory: string): boolean {
    return environmentMarkers.some((marker) => this.#files.exists(join(directory, marker)));
  }
}

const defaultExcludes = ['**/node_modules', '**/__pycache__', '**/.*', '**/__editable__.*'];
const environmentMarkers = ['bin/activate', 'Scripts/activate', 'pyvenv.cfg', 'conda-meta'];

interface FoundConfig {
  readonly path: string;
  readonly config: unknown;
  /** The configuration it extends. */
  readonly base?: FoundConfig;
}

/** The nearest configuration at the root or above it; a file of its own takes precedence over a table in another. */
function findConfig(root: string, tool: string, files: ProjectFiles): FoundConfig | undefined {
  const kinds = [
    { name: 'pyrightconfig.json', read: parseLooseJson },
    { name: 'pyproject.toml', read: (text: string) => toolTable(text, tool) },
  ];
  for (const { name, read } of kinds) {
    for (let at = root; ; at = dirname(at)) {
      const path = join(at, name);
      const text = files.readText(path);
      const config = text === undefined ? undefined : read(text);
      if (config !== undefined) return withBase(path, config, files);
      if (at === dirname(at)) break;
    }
  }
  return undefined;
}

/** A descendant of pyright reads a table of its own name, and pyright's if there is none. */
function toolTable(text: string, tool: string): unknown {
  const tools = fieldOf(parseToml(text), 'tool');
  return fieldOf(tools, tool) ?? fieldOf(tools, 'pyright');
}

/** A cycle of configurations ends where it closes. */
function withBase(
  path: string,
  config: unknown,
  files: ProjectFiles,
  above: ReadonlySet<string> = new Set(),
): FoundConfig {
  const base = fieldOf(config, 'extends');
  if (typeof base !== 'string') return { path, config };
  const at = join(dirname(path), base);
  const text = above.has(at) ? undefined : files.readText(at);
  if (text === undefined) return { path, config };
  return { path, config, base: withBase(at, parseLooseJson(text), files, new Set([...above, path])) };
}

/** The entries of a list, relative to the directory of their configuration; the nearest list counts. */
function specsOf(found: FoundConfig | undefined, field: 'include' | 'exclude'): readonly RegExp[] {
  if (found === undefined) return [];
  const value = fieldOf(found.config, field);
  if (value === undefined) return specsOf(found.base, field);
  return stringsIn(value).map((spec) => specPattern(dirname(found.path), spec));
}

/** A path in which `**` stands for any directories, `*` and `?` for parts of a name; it includes everything below. */
function specPattern(directory: string, spec: string): RegExp {
  const segments = join(directory, spec).replace(/\/$/, '').split('/');
  const pattern = segments
    .map((segment, at) => {
      if (segment === '**') return '(?:/[^/]+)*?';
      const plain = segment.replace(/[^\w\s]/g, (char) =>
        char === '*' ? '[^/]*' : char === '?' ? '[^/]' : `\\${char}`,
      );
      return at === 0 ? plain : `/${plain}`;
    })
    .join('');
  return new RegExp(`^${pattern}(?:$|/)`);
}
