/**
 * Whether files are ECMAScript modules or CommonJS, by the rules of Node and the compiler.
 *
 * Invariant: if it matters and cannot be determined, both are possible.
 */
import { childOf, parentOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';

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
