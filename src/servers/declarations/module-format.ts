/**
 * Whether files are ECMAScript modules or CommonJS, as Node and the compiler decide it.
 *
 * Invariant: where it matters which it is and it cannot be told, both are possible.
 */
import { ancestorsOf, childOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';

export class ModuleFormats {
  readonly #readText: (path: WorkspacePath) => string | undefined;
  /** Whether the manifest of a directory, if it has one, makes its files ECMAScript modules. */
  readonly #manifests = new Map<WorkspacePath, boolean | undefined>();

  constructor(readText: (path: WorkspacePath) => string | undefined) {
    this.#readText = readText;
  }

  /**
   * Whether the default that `importer` takes from `file` may be the whole module: where a module has no default, or
   * is CommonJS and imported by an ECMAScript module.
   */
  mayBeItsOwnDefault(importer: WorkspacePath, file: WorkspacePath): boolean {
    if (/\.d\.(?:[^./]+\.)?[mc]?ts$|\.c[tj]s$|\.jsx?$/.test(file)) return true;
    return !this.#isModule(file) && this.#isModule(importer);
  }

  #isModule(path: WorkspacePath): boolean {
    if (/\.m[tj]s$/.test(path)) return true;
    if (/\.c[tj]s$/.test(path)) return false;
    for (const directory of [...ancestorsOf(path), rootPath]) {
      if (!this.#manifests.has(directory)) this.#manifests.set(directory, this.#manifest(directory));
      const isModule = this.#manifests.get(directory);
      if (isModule !== undefined) return isModule;
    }
    return false;
  }

  #manifest(directory: WorkspacePath): boolean | undefined {
    const text = this.#readText(childOf(directory, 'package.json'));
    return text === undefined ? undefined : /"type"\s*:\s*"module"/.test(text);
  }
}
