import { messageOf } from '../../../base/failure.ts';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { baseName } from '../../../workspace/workspace-path.ts';
import { directoryOf } from '../reach-family.ts';
import type { ModulePlaces } from './ecmascript-path.ts';
import { parseLooseJson } from './loose-json.ts';
import {
  compilerAliases,
  isMeantBy,
  type ModuleAlias,
  mergedRoots,
  nameSuffixes,
  packageAliases,
} from './module-alias.ts';

/**
 * Aliases from the packages and compiler options of a workspace.
 *
 * Invariant: a configuration that cannot be parsed is recorded as a doubt, never ignored.
 */
export class ModuleAliases {
  readonly #terms = new Map<WorkspacePath, Terms>();
  #byName: ReadonlyMap<string | undefined, readonly ModuleAlias[]> = new Map();

  configure(path: WorkspacePath, text: string | undefined): void {
    if (text === undefined) this.#terms.delete(path);
    else this.#terms.set(path, readTerms(path, text));
    this.#byName = indexByName([...this.#terms.values()].flatMap((terms) => terms.aliases));
  }

  doubt(): string | undefined {
    for (const terms of this.#terms.values()) if (terms.doubt !== undefined) return terms.doubt;
    return undefined;
  }

  /** The keys of importers that refer to the file by an alias. */
  *importKeysOf(places: ModulePlaces): Iterable<string> {
    const { stem, directory } = places;
    for (const place of directory === undefined ? [stem] : [stem, directory]) {
      for (const alias of this.#byName.get(baseName(place)) ?? []) {
        if (isMeantBy(alias, place)) yield* entryKeys(alias);
      }
    }
    for (const alias of this.#byName.get(undefined) ?? [])
      if (isMeantBy(alias, stem)) yield* entryKeys(alias);
  }

  /** The other stems that relative specifiers may use for a stem: merged roots, and names without a suffix. */
  *otherStems(stem: string): Iterable<string> {
    for (const { roots, suffixes } of this.#terms.values()) {
      for (const suffix of suffixes) if (stem.endsWith(suffix)) yield stem.slice(0, -suffix.length);
      yield* stemsInOtherRoots(stem, roots);
    }
  }
}

/** The compiler treats merged roots as one directory: a file in one may be imported as if it were in another. */
function* stemsInOtherRoots(stem: string, roots: readonly string[]): Iterable<string> {
  for (const root of roots) {
    if (root !== '' && !stem.startsWith(`${root}/`)) continue;
    const inside = root === '' ? stem : stem.slice(root.length + 1);
    for (const other of roots) if (other !== root) yield other === '' ? inside : `${other}/${inside}`;
  }
}

interface Terms {
  readonly aliases: readonly ModuleAlias[];
  readonly roots: readonly string[];
  readonly suffixes: readonly string[];
  readonly doubt?: string;
}

const noTerms: Terms = { aliases: [], roots: [], suffixes: [] };

/**
 * Whatever an installation touches arrives here, as it decides how every file is read. It names nothing in the
 * workspace but by a configuration that one of the workspace extends.
 */
function mayName(path: WorkspacePath): boolean {
  const isInstalled = path.split('/').includes('node_modules');
  return path.endsWith('.json') && !(isInstalled && baseName(path) === 'package.json');
}

function readTerms(path: WorkspacePath, text: string): Terms {
  if (!mayName(path)) return noTerms;
  try {
    const json = parseLooseJson(text);
    if (baseName(path) === 'package.json') {
      return { aliases: packageAliases(directoryOf(path), json), roots: [], suffixes: [] };
    }
    return {
      aliases: compilerAliases(json),
      roots: mergedRoots(directoryOf(path), json),
      suffixes: nameSuffixes(json),
    };
  } catch (thrown) {
    // A manifest may lie anywhere, also a deliberately broken one in a fixture; its meaning stays unknown.
    return { ...noTerms, doubt: `${path} cannot be read: ${messageOf(thrown)}` };
  }
}

/** Importers by alias, and those that name a package by the path of its directory. */
function* entryKeys(alias: ModuleAlias): Iterable<string> {
  yield alias.importKey;
  if (alias.under !== '') yield `p:${alias.under}`;
}

function indexByName(aliases: readonly ModuleAlias[]): Map<string | undefined, ModuleAlias[]> {
  const byName = new Map<string | undefined, ModuleAlias[]>();
  for (const alias of aliases) {
    const name = alias.tail === undefined ? undefined : baseName(alias.tail);
    const named = byName.get(name);
    if (named) named.push(alias);
    else byName.set(name, [alias]);
  }
  return byName;
}
