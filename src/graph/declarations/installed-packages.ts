/**
 * What the packages in `node_modules` are to the workspace: one of its own packages, a library, or a library whose own
 * types may come from a package of the workspace (a plugin that a monorepo installs beside the package it plugs into).
 *
 * What a library imports is taken from its manifest.
 *
 * Invariants: a package is `library` only if neither it nor anything it declares to need leads back into the workspace.
 * Directories of packages are not watched, so `renew` looks at them before answers of earlier questions are used.
 */
import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf, isUnreadable } from '../../base/errno.ts';
import { fieldOf } from '../../base/record.ts';
import { statOf } from '../../workspace/disk-state.ts';
import { textAt } from '../../workspace/text-at.ts';
import { fieldsOf, parseLooseJson } from '../reach/keys/loose-json.ts';

/**
 * `workspace`: a directory of the workspace, and nothing else. `library`: nothing of the workspace. `dependent`: a
 * library that may pass on types of the workspace. `missing`: not installed.
 */
export type InstalledPackage =
  | { readonly kind: 'workspace'; readonly directory: string }
  | { readonly kind: 'library' | 'dependent' | 'missing' };

export class InstalledPackages {
  readonly #root: string;
  readonly #found = new Map<string, InstalledPackage>();
  /** Whether a library leads back into the workspace, by its real directory. */
  readonly #dependence = new Map<string, boolean>();
  readonly #files = new Map<string, ReadonlySet<string>>();
  /** The directories that decided, with the time of their last change. */
  readonly #looked = new Map<string, number | undefined>();

  /** `root` is the real path of the workspace. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Forgets everything if packages were installed, removed or linked since; true if so. */
  renew(): boolean {
    for (const [place, changedMs] of this.#looked) {
      if (changedMsOf(place) === changedMs) continue;
      this.#found.clear();
      this.#dependence.clear();
      this.#files.clear();
      this.#looked.clear();
      return true;
    }
    return false;
  }

  /** What `name` is to an importer in a directory of the workspace. */
  find(directory: string, name: string): InstalledPackage {
    const key = `${directory}\n${name}`;
    const known = this.#found.get(key);
    if (known) return known;
    const found = this.#look(join(this.#root, directory), name);
    this.#found.set(key, found);
    return found;
  }

  /** The text of a file that is named through a package, such as a configuration that others extend. */
  textOf(directory: string, path: string): string | undefined {
    for (const packages of packagesAbove(join(this.#root, directory))) {
      this.#note(packages);
      const text = textAt(join(packages, path));
      if (text !== undefined) return text;
    }
    return undefined;
  }

  #look(from: string, name: string): InstalledPackage {
    const place = this.#placeOf(from, name);
    // Where a package has no types of its own, the compiler takes those that are installed beside it.
    const types = this.#placeOf(from, typesNameOf(name));
    if (place !== undefined && types === undefined && this.#isOwn(place))
      return { kind: 'workspace', directory: place.slice(this.#root.length + 1) };
    const found = [place, types].filter((each) => each !== undefined);
    // A file in place of a package: what it imports is not read.
    if (found.length === 0) return { kind: this.#isLoneFile(from, name) ? 'dependent' : 'missing' };
    const isLibrary = found.every((each) => !this.#isOwn(each) && !this.#isDependent(each));
    return { kind: isLibrary ? 'library' : 'dependent' };
  }

  #isLoneFile(from: string, name: string): boolean {
    return [name, typesNameOf(name)].some((each) =>
      [...packagesAbove(from)].some((packages) => {
        const place = join(packages, each);
        return this.#filesIn(dirname(place)).has(basename(place));
      }),
    );
  }

  /** The modules that are files in a directory of packages, without their endings. */
  #filesIn(directory: string): ReadonlySet<string> {
    const known = this.#files.get(directory);
    if (known) return known;
    const modules = entriesOf(directory).flatMap((entry) => moduleFile.exec(entry)?.[1] ?? []);
    const found = new Set(modules);
    this.#files.set(directory, found);
    return found;
  }

  /** The real directory of a package, as an importer in `from` finds it. */
  #placeOf(from: string, name: string): string | undefined {
    for (const packages of packagesAbove(from)) {
      const place = join(packages, name);
      this.#note(dirname(place));
      const real = realPathOf(place);
      if (real !== undefined) return real;
    }
    return undefined;
  }

  /** Installing rewrites the receipt of the package manager, whatever directories it changes. */
  #note(directory: string): void {
    for (const place of [directory, ...receipts.map((name) => join(directory, name))])
      if (!this.#looked.has(place)) this.#looked.set(place, changedMsOf(place));
  }

  #isOwn(place: string): boolean {
    if (place === this.#root) return true;
    return place.startsWith(`${this.#root}/`) && !place.slice(this.#root.length).includes('/node_modules/');
  }

  #isDependent(place: string): boolean {
    const known = this.#dependence.get(place);
    if (known !== undefined) return known;
    const seen = new Set([place]);
    // The set grows while it is walked: it holds everything that the library needs.
    for (const each of seen) {
      const needed = this.#needsOf(each);
      if (needed === undefined || needed.some((found) => this.#isOwn(found) || this.#dependence.get(found))) {
        this.#dependence.set(place, true);
        return true;
      }
      for (const found of needed) if (this.#dependence.get(found) !== false) seen.add(found);
    }
    for (const each of seen) this.#dependence.set(each, false);
    return false;
  }

  /** The real directories of what a package declares to need and finds; undefined if its manifest cannot be read. */
  #needsOf(place: string): readonly string[] | undefined {
    const names = needsIn(textAt(join(place, 'package.json')));
    return names?.flatMap((name) =>
      [name, typesNameOf(name)].flatMap((each) => {
        for (const packages of packagesAbove(place)) {
          const found = realPathOf(join(packages, each));
          if (found !== undefined) return [found];
        }
        return [];
      }),
    );
  }
}

/** A module in `node_modules` without a directory of its own. */
const moduleFile = /^(.+?)(?:\.d)?\.[cm]?[jt]sx?$/;

/** The files in which package managers record what they installed. */
const receipts = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml'];

const needFields = ['dependencies', 'peerDependencies', 'optionalDependencies'];

function needsIn(manifest: string | undefined): readonly string[] | undefined {
  if (manifest === undefined) return undefined;
  try {
    const parsed = parseLooseJson(manifest);
    return needFields.flatMap((field) => fieldsOf(fieldOf(parsed, field)).map(([name]) => name));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

/** The name under which the types of a package are published apart from it. */
function typesNameOf(name: string): string {
  return `@types/${name.startsWith('@') ? name.slice(1).replace('/', '__') : name}`;
}

/** The directories in which an importer looks for packages, nearest first. */
function* packagesAbove(directory: string): Iterable<string> {
  for (let at = directory; ; at = dirname(at)) {
    if (basename(at) !== 'node_modules') yield join(at, 'node_modules');
    if (dirname(at) === at) return;
  }
}

function realPathOf(place: string): string | undefined {
  try {
    return realpathSync.native(place);
  } catch (thrown) {
    if (isUnreadable(thrown) || errnoOf(thrown) === 'ELOOP') return undefined;
    throw thrown;
  }
}

function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (thrown) {
    if (isUnreadable(thrown)) return [];
    throw thrown;
  }
}

function changedMsOf(place: string): number | undefined {
  return statOf(place)?.ctimeMs;
}
