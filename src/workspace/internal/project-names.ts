/**
 * Directories that the projects of a workspace name: included ones, and output directories of their compilers.
 *
 * Only literal names count. A pattern that matches a directory among others does not name it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parse } from 'jsonc-parser';
import { isUnreadable } from '../../base/errno.ts';
import type { Workspace } from '../workspace.ts';
import { ancestorsOf, rootPath, type WorkspacePath } from '../workspace-path.ts';

interface NamedPlaces {
  readonly included: readonly string[];
  readonly written: readonly string[];
}

export class ProjectNames {
  readonly #workspace: Workspace;
  readonly #places = new Map<WorkspacePath, NamedPlaces>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Whether a project at or above the directory includes it, or something below it, by name. */
  include(path: WorkspacePath): boolean {
    return this.#above(path).some(({ included }) =>
      included.some((place) => place === path || place.startsWith(`${path}/`)),
    );
  }

  /** Whether the compiler of a project at or above the directory writes there. */
  writeTo(path: WorkspacePath): boolean {
    return this.#above(path).some(({ written }) => written.includes(path));
  }

  #above(path: WorkspacePath): readonly NamedPlaces[] {
    return [...ancestorsOf(path), rootPath].map((directory) => this.#placesIn(directory));
  }

  #placesIn(directory: WorkspacePath): NamedPlaces {
    const known = this.#places.get(directory);
    if (known) return known;
    const configs = this.#configsIn(directory);
    const named = {
      included: configs.flatMap((config) => [
        ...placesOf(directory, config.include),
        ...placesOf(directory, config.files),
      ]),
      written: configs.flatMap(({ compilerOptions: options }) =>
        placesOf(directory, [options?.outDir, options?.declarationDir]),
      ),
    };
    this.#places.set(directory, named);
    return named;
  }

  #configsIn(directory: WorkspacePath): readonly CompilerConfig[] {
    const absolute = this.#workspace.absolute(directory);
    try {
      return readdirSync(absolute)
        .filter((name) => /^(?:tsconfig|jsconfig)\b.*\.json$/.test(name))
        .map((name): CompilerConfig => parse(readFileSync(`${absolute}/${name}`, 'utf8')) ?? {});
    } catch (thrown) {
      if (isUnreadable(thrown)) return [];
      throw thrown;
    }
  }
}

/** The relevant part of a file that may contain anything. */
interface CompilerConfig {
  readonly include?: unknown;
  readonly files?: unknown;
  readonly compilerOptions?: { readonly outDir?: unknown; readonly declarationDir?: unknown };
}

/** The entries of a list as paths of the workspace, each up to its first wildcard. */
function placesOf(directory: WorkspacePath, entries: unknown): readonly string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    if (typeof entry !== 'string') return [];
    const segments = entry.split('/');
    const wild = segments.findIndex((segment) => /[*?]/.test(segment));
    const fixed = segments.slice(0, wild < 0 ? undefined : wild).join('/');
    return [posix.join(directory, fixed).replace(/\/$/, '')];
  });
}
