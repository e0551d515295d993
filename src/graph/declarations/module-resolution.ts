/**
 * Which files a module specifier may refer to, and whether a file is an ECMAScript module or CommonJS.
 *
 * Only relative specifiers are resolved, and only if the file they name exists: TypeScript prefers it to other
 * options of the configuration (`rootDirs`, the `types` of a directory). Files that begin with the same path stay
 * possible, because `moduleSuffixes` and declaration files take precedence if they exist. Of the others it is only told
 * whether they refer to the workspace or to a library (`bare-specifier.ts`).
 *
 * Invariants: a file that a specifier resolves to is never excluded. If the format of a file matters and cannot be
 * determined, both are possible.
 */
import {
  childOf,
  parentOf,
  parseWorkspacePath,
  rootPath,
  type WorkspacePath,
} from '../../workspace/workspace-path.ts';
import { withoutSourceExtension } from '../reach/keys/ecmascript-path.ts';
import { directoryOf } from '../reach/reach-family.ts';
import type { BareSpecifiers, SpecifierTarget } from './bare-specifier.ts';

interface MatchInputs {
  /** Whether a source or a manifest of a package is known at a path. */
  exists(path: string): boolean;
  /** Whether the disk has a file at a path, through links and in ignored directories as well. */
  isFile(path: string): boolean;
  readonly bare: Pick<BareSpecifiers, 'targetOf' | 'areRelativeExact' | 'hasSuffixes'>;
}

export class SpecifierMatch {
  readonly #exists: MatchInputs['exists'];
  readonly #isFile: MatchInputs['isFile'];
  readonly #bare: MatchInputs['bare'];
  readonly #targets = new Map<string, SpecifierTarget>();
  /** The common prefix of the paths that a specifier may refer to; undefined if it may be any. */
  readonly #beginnings = new Map<string, string | undefined>();

  constructor({ exists, isFile, bare }: MatchInputs) {
    this.#exists = exists;
    this.#isFile = isFile;
    this.#bare = bare;
  }

  /** Whether a specifier may refer to a file; without a file, to one outside the workspace. */
  mayBe(importer: WorkspacePath, specifier: string, file: WorkspacePath | undefined): boolean {
    // Node's own modules may be augmented, but no file of the workspace implements them.
    if (specifier.startsWith('node:')) return file === undefined;
    const directory = directoryOf(importer);
    const key = `${directory}\n${specifier}`;
    if (!isRelative(specifier)) return this.#mayBeBare(key, directory, specifier, file);
    if (!this.#beginnings.has(key)) this.#beginnings.set(key, this.#beginning(directory, specifier));
    const beginning = this.#beginnings.get(key);
    return beginning === undefined || (file?.startsWith(beginning) ?? false);
  }

  /** Whether files may have more in their names than a specifier and an extension, or nothing is known. */
  get extendNames(): boolean {
    return this.#bare.hasSuffixes;
  }

  /**
   * As `mayBe`, for a file that comes or goes beside others: of the files that begin as a relative specifier does, only these
   * have a form in which the specifier finds them.
   */
  mayFind(importer: WorkspacePath, specifier: string, file: WorkspacePath): boolean {
    if (!this.mayBe(importer, specifier, file)) return false;
    const beginning = this.#beginnings.get(`${directoryOf(importer)}\n${specifier}`);
    if (!isRelative(specifier) || !beginning || this.extendNames) return true;
    const rest = file.slice(beginning.length);
    const isBelow = rest.startsWith('/');
    if (!isBelow) return /^(?:(?:\.d(?:\.[^./]+)?)?\.[cm]?[jt]sx?)?$/.test(rest);
    return /^\/index\.[^/]*$/.test(rest) || this.#exists(`${beginning}/package.json`);
  }

  #mayBeBare(key: string, directory: string, specifier: string, file: WorkspacePath | undefined): boolean {
    const target = this.#targets.get(key) ?? this.#bare.targetOf(directory, specifier);
    this.#targets.set(key, target);
    const { beginnings, mayLeave } = target;
    if (file === undefined) return mayLeave;
    return beginnings === 'any' || beginnings.some((beginning) => file.startsWith(beginning));
  }

  #beginning(directory: string, specifier: string): string | undefined {
    const target = parseWorkspacePath(`${directory}/${specifier}`.replace(/^\//, ''));
    if (target === undefined) return undefined;
    const stem = /\/$|(?:^|\/)\.\.?$/.test(specifier) ? target : withoutSourceExtension(target);
    if (stem !== '' && extensions.some((extension) => this.#exists(`${stem}${extension}`))) return stem;
    const below = stem === '' ? '' : `${stem}/`;
    const hasManifest = this.#exists(`${below}package.json`);
    const isIndex = extensions.some((extension) => this.#exists(`${below}index${extension}`));
    if (isIndex && !hasManifest) return stem;
    const isNothing =
      stem !== '' && !hasManifest && this.#bare.areRelativeExact && !this.#isReadable(target, stem);
    // `a.vue` may be declared by `a.d.vue.ts`.
    return isNothing ? stem.replace(/(?<=[^/])\.[^./]+$/, '') : undefined;
  }

  /** Whether a link or an ignored directory holds what a specifier names, though no source is known there. */
  #isReadable(target: string, stem: string): boolean {
    const endings = [...extensions, '.js', '.jsx', '.mjs', '.cjs'];
    const places = endings.flatMap((ending) => [`${stem}${ending}`, `${stem}/index${ending}`]);
    // A file with another extension is no source, whatever it links to.
    return (stem === target ? places : [target, ...places]).some((place) => this.#isFile(place));
  }
}

function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

const extensions = ['.ts', '.tsx', '.d.ts', '.mts', '.d.mts', '.cts', '.d.cts'];

export class ModuleFormats {
  readonly #readText: (path: WorkspacePath) => string | undefined;
  /** Whether the files of a directory are ECMAScript modules unless their extension says otherwise. */
  readonly #directories = new Map<WorkspacePath, boolean>();

  constructor(readText: (path: WorkspacePath) => string | undefined) {
    this.#readText = readText;
  }

  /**
   * Whether the default that `importer` imports from `file` may be the whole module: if the module has no default, or
   * is CommonJS and imported by an ECMAScript module.
   */
  mayBeItsOwnDefault(importer: WorkspacePath, file: WorkspacePath): boolean {
    if (/\.d\.(?:[^./]+\.)?[mc]?ts$|\.c[tj]s$|\.jsx?$/.test(file)) return true;
    return !this.#isModule(file) && this.#isModule(importer);
  }

  #isModule(path: WorkspacePath): boolean {
    if (/\.m[tj]s$/.test(path)) return true;
    return !/\.c[tj]s$/.test(path) && this.#holdsModules(parentOf(path));
  }

  /** The nearest manifest decides. */
  #holdsModules(directory: WorkspacePath): boolean {
    const known = this.#directories.get(directory);
    if (known !== undefined) return known;
    const manifest = this.#readText(childOf(directory, 'package.json'));
    const isModule =
      manifest === undefined
        ? directory !== rootPath && this.#holdsModules(parentOf(directory))
        : /"type"\s*:\s*"module"/.test(manifest);
    this.#directories.set(directory, isModule);
    return isModule;
  }
}
