/**
 * Which files a module specifier may refer to, and whether a file is an ECMAScript module or CommonJS.
 *
 * Only relative specifiers are resolved, and only if the file they name exists: TypeScript prefers it to other
 * options of the configuration (`rootDirs`, the `types` of a directory). Files that begin with the same path stay
 * possible, because `moduleSuffixes` and declaration files take precedence if they exist.
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

export class SpecifierMatch {
  readonly #exists: (path: string) => boolean;
  /** The common prefix of the paths that a specifier may refer to; undefined if it may be any. */
  readonly #beginnings = new Map<string, string | undefined>();

  /** `exists` covers every file of the workspace, including manifests of packages. */
  constructor(exists: (path: string) => boolean) {
    this.#exists = exists;
  }

  /** Whether a specifier may refer to a file; without a file, to one outside the workspace. */
  mayBe(importer: WorkspacePath, specifier: string, file: WorkspacePath | undefined): boolean {
    // Node's own modules may be augmented, but no file of the workspace implements them.
    if (specifier.startsWith('node:')) return file === undefined;
    const directory = directoryOf(importer);
    const key = `${directory}\n${specifier}`;
    if (!this.#beginnings.has(key)) this.#beginnings.set(key, this.#beginning(directory, specifier));
    const beginning = this.#beginnings.get(key);
    return beginning === undefined || (file?.startsWith(beginning) ?? false);
  }

  #beginning(directory: string, specifier: string): string | undefined {
    if (!/^\.\.?(?:\/|$)/.test(specifier)) return undefined;
    const target = parseWorkspacePath(`${directory}/${specifier}`.replace(/^\//, ''));
    if (target === undefined) return undefined;
    const stem = /\/$|(?:^|\/)\.\.?$/.test(specifier) ? target : withoutSourceExtension(target);
    if (stem !== '' && extensions.some((extension) => this.#exists(`${stem}${extension}`))) return stem;
    const below = stem === '' ? '' : `${stem}/`;
    const isIndex = extensions.some((extension) => this.#exists(`${below}index${extension}`));
    return isIndex && !this.#exists(`${below}package.json`) ? stem : undefined;
  }
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
