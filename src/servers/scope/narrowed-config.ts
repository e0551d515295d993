/**
 * A compiler configuration that excludes more than the original.
 *
 * Invariant: options, and which files belong to the project, are those of the original for everything that is not
 * excluded. If that cannot be guaranteed, there is no narrowed configuration.
 */

import { posix } from 'node:path';
import { fieldOf } from '../../base/record.ts';
import { fieldsOf, parseLooseJson, stringsIn } from '../../graph/reach/keys/loose-json.ts';
import { directoryOf } from '../../graph/reach/reach-family.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { baseName } from '../../workspace/workspace-path.ts';

/** Reads a file by its path in the workspace; undefined if there is none. */
type ReadText = (path: string) => string | undefined;

/** The configurations that a server treats as projects: by their name, or because such a project refers to them. */
export function projectConfigs(configs: readonly WorkspacePath[], read: ReadText): ReadonlySet<string> {
  const known = new Set<string>(configs);
  const projects = new Set(configs.filter((path) => defaultNames.has(baseName(path))).map(String));
  // A Set iterates over elements added during the iteration, so it is its own queue.
  for (const path of projects) {
    const references = fieldOf(parsed(path, read), 'references');
    for (const { path: target } of Array.isArray(references) ? references.map(referenceOf) : []) {
      const place = posix.join(directoryOf(path), target);
      for (const candidate of [place, posix.join(place, 'tsconfig.json')]) {
        if (known.has(candidate)) projects.add(candidate);
      }
    }
  }
  return projects;
}

/** The text of the configuration at `path` that also excludes `patterns`, relative to the workspace. */
export function narrowedConfig(
  path: string,
  patterns: readonly string[],
  { projects, read }: { readonly projects: ReadonlySet<string>; readonly read: ReadText },
): string | undefined {
  const own = parsed(path, read);
  const chain = chainOf(path, read);
  if (own === undefined || chain === undefined) return undefined;
  // In a composite project an imported file that is not listed is an error, and narrowing changes the list.
  const isComposite = chain.find(({ json }) => option(json, 'composite') !== undefined);
  if (isComposite && option(isComposite.json, 'composite') !== false) return undefined;
  if (isInherited(path, projects, read)) return undefined;
  const from = directoryOf(path);
  const added = patterns.map((pattern) => posix.relative(from, pattern));
  const exclude = [...excludedBy(path, chain), ...added];
  return JSON.stringify({ ...Object.fromEntries(fieldsOf(own)), exclude });
}

interface ConfigLink {
  readonly path: string;
  readonly json: unknown;
}

const defaultNames: ReadonlySet<string> = new Set(['tsconfig.json', 'jsconfig.json']);

/** The existing excludes: of the nearest configuration that has some, else the output directory. */
function excludedBy(path: string, chain: readonly ConfigLink[]): readonly string[] {
  const sayer = chain.find(({ json }) => fieldOf(json, 'exclude') !== undefined);
  if (!sayer) {
    const own = chain[0]?.json;
    return ['outDir', 'declarationDir'].flatMap((name) => stringsIn(option(own, name)));
  }
  return stringsIn(fieldOf(sayer.json, 'exclude')).map((pattern) =>
    sayer.path === path || pattern.startsWith('$') || posix.isAbsolute(pattern)
      ? pattern
      : posix.relative(directoryOf(path), posix.join(directoryOf(sayer.path), pattern)),
  );
}

/** Whether another project would inherit what is added to this one. */
function isInherited(path: string, projects: ReadonlySet<string>, read: ReadText): boolean {
  for (const other of projects) {
    if (other === path) continue;
    const chain = chainOf(other, read);
    const sayer = chain?.find(({ json }) => fieldOf(json, 'exclude') !== undefined)?.path;
    const place = chain?.findIndex((link) => link.path === path) ?? -1;
    const saysItself = chain?.slice(0, place).some((link) => link.path === sayer);
    if (place >= 0 && !saysItself) return true;
  }
  return false;
}

/** The configuration and those it extends, nearest first; undefined if one cannot be found or parsed. */
function chainOf(
  path: string,
  read: ReadText,
  above: ReadonlySet<string> = new Set(),
): readonly ConfigLink[] | undefined {
  const json = parsed(path, read);
  if (json === undefined || above.has(path)) return undefined;
  const chain: ConfigLink[] = [{ path, json }];
  // Of several bases the last one takes precedence.
  for (const base of [...stringsIn(fieldOf(json, 'extends'))].reverse()) {
    const place = basePath(path, base, read);
    const rest = place === undefined ? undefined : chainOf(place, read, new Set([...above, path]));
    if (!rest) return undefined;
    chain.push(...rest);
  }
  return chain;
}

function basePath(from: string, base: string, read: ReadText): string | undefined {
  if (posix.isAbsolute(base)) return undefined;
  const ends = ['', '.json', '/tsconfig.json'];
  const places = base.startsWith('.')
    ? [posix.join(directoryOf(from), base)]
    : directoriesUp(directoryOf(from)).map((directory) => posix.join(directory, 'node_modules', base));
  return places.flatMap((place) => ends.map((end) => place + end)).find((place) => isFile(place, read));
}

function isFile(place: string, read: ReadText): boolean {
  return !place.startsWith('..') && read(place) !== undefined;
}

function directoriesUp(directory: string): readonly string[] {
  return directory === '' ? [''] : [directory, ...directoriesUp(directoryOf(directory))];
}

function parsed(path: string, read: ReadText): unknown {
  const text = read(path);
  if (text === undefined) return undefined;
  try {
    const json = parseLooseJson(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    // A configuration that cannot be parsed is not changed; the server reports what is wrong with it.
    return undefined;
  }
}

function referenceOf(reference: unknown): { readonly path: string } {
  const path = fieldOf(reference, 'path');
  return { path: typeof path === 'string' ? path : '' };
}

function option(json: unknown, name: string): unknown {
  return fieldOf(fieldOf(json, 'compilerOptions'), name);
}
