import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { baseName } from '../../../workspace/workspace-path.ts';
import { directoryOf } from '../reach-family.ts';
import { embedSpecifier } from '../scan/go-scan.ts';
import type { ReachKeys } from './reach-keys.ts';

/**
 * Keys of Go packages: `d:` the directory whose files are one package, `n:` the last name of an import path, `s:` a
 * whole one (for the package at a module's root, whose directory may have any name), `e:` a directory that files are
 * embedded from.
 *
 * Invariant: a file depends on every other file of its directory that is compiled, and on every file that it may embed.
 */
export class GoKeys implements ReachKeys {
  readonly #modules = new Map<string, string>();
  /** Modules that read sources of others, and files that link modules. */
  readonly #linked = new Set<string>();
  readonly #workspaces = new Set<WorkspacePath>();

  *importKeys(from: WorkspacePath, specifiers: readonly string[]): Iterable<string> {
    const directory = directoryOf(from.toLowerCase());
    yield `d:${directory}`;
    for (const specifier of specifiers) {
      if (specifier === embedSpecifier) yield `e:${directory}`;
      else yield* packageKeys(specifier.toLowerCase());
    }
  }

  *fileKeys(path: WorkspacePath): Iterable<string> {
    const file = path.toLowerCase();
    const directory = directoryOf(file);
    if (compiledFile.test(file)) {
      yield `d:${directory}`;
      if (directory !== '') yield `n:${baseName(directory)}`;
      const module = this.#modules.get(directory);
      if (module !== undefined) yield `s:${module}`;
    }
    if (file.endsWith('.go')) return;
    for (let above = directory; above !== ''; above = directoryOf(above)) yield `e:${above}`;
    yield 'e:';
  }

  configure(path: WorkspacePath, text: string | undefined): void {
    if (baseName(path) === 'go.work') {
      if (text === undefined) this.#workspaces.delete(path);
      else this.#workspaces.add(path);
    }
    if (baseName(path) !== 'go.mod') return;
    const name = /^\s*module\s+"?([^\s"]+)/m.exec(text ?? '')?.[1];
    const directory = directoryOf(path.toLowerCase());
    if (/=>\s*"?(?:\.{1,2}\/|\/|\.{1,2}\s|[A-Za-z]:)/.test(text ?? '')) this.#linked.add(directory);
    else this.#linked.delete(directory);
    if (name === undefined) this.#modules.delete(directory);
    else this.#modules.set(directory, name.toLowerCase());
  }

  /**
   * A module reads the sources of another only if its `go.mod` replaces that by a directory, or there is a `go.work`.
   */
  isApart(path: WorkspacePath, changed: readonly WorkspacePath[]): boolean {
    if (this.#workspaces.size > 0 || changed.some((each) => baseName(each) === 'go.work')) return false;
    const module = this.#moduleOf(path);
    return !this.#linked.has(module) && changed.every((each) => this.#moduleOf(each) !== module);
  }

  #moduleOf(path: WorkspacePath): string {
    let directory = directoryOf(path.toLowerCase());
    while (directory !== '' && !this.#modules.has(directory)) directory = directoryOf(directory);
    return directory;
  }

  doubt(): undefined {}
}

/** What the go tool compiles or links into the package of a directory; any other file matters only if it is embedded. */
const compiledFile = /\.(?:go|s|sx|c|cc|cpp|cxx|m|h|hh|hpp|hxx|f|for|f90|swig|swigcxx|syso|a|so|o)$/;

/** `example.com/shop/v2` may lie in a directory `v2` or in `shop`. */
function* packageKeys(specifier: string): Iterable<string> {
  yield `s:${specifier}`;
  const name = baseName(specifier);
  yield `n:${name}`;
  if (/^v\d+$/.test(name)) yield `n:${baseName(directoryOf(specifier))}`;
}
