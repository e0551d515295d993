import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { baseName, parentOf } from '../reach-family.ts';
import { embedSpecifier } from '../scan/go-scan.ts';
import type { ReachKeys } from './reach-keys.ts';

/**
 * Keys of Go packages: `d:` the directory whose files are one package, `n:` the last name of an import
 * path, `s:` a whole one (for the package at a module's root, whose directory may have any name), `e:` a
 * directory that something embeds files from.
 *
 * Invariant: a file depends on every other file of its directory.
 */
export class GoKeys implements ReachKeys {
  readonly #modules = new Map<string, string>();

  *importKeys(from: WorkspacePath, specifiers: readonly string[]): Iterable<string> {
    const directory = parentOf(from.toLowerCase());
    yield `d:${directory}`;
    for (const specifier of specifiers) {
      if (specifier === embedSpecifier) yield `e:${directory}`;
      else yield* packageKeys(specifier.toLowerCase());
    }
  }

  *fileKeys(path: WorkspacePath): Iterable<string> {
    const file = path.toLowerCase();
    const directory = parentOf(file);
    yield `d:${directory}`;
    if (directory !== '') yield `n:${baseName(directory)}`;
    const module = this.#modules.get(directory);
    if (module !== undefined) yield `s:${module}`;
    if (file.endsWith('.go')) return;
    for (let above = directory; above !== ''; above = parentOf(above)) yield `e:${above}`;
    yield 'e:';
  }

  configure(path: WorkspacePath, text: string | undefined): void {
    if (baseName(path) !== 'go.mod') return;
    const name = /^\s*module\s+"?([^\s"]+)/m.exec(text ?? '')?.[1];
    const directory = parentOf(path.toLowerCase());
    if (name === undefined) this.#modules.delete(directory);
    else this.#modules.set(directory, name.toLowerCase());
  }

  doubt(): undefined {}
}

/** `example.com/shop/v2` may lie in a directory `v2` or in `shop`. */
function* packageKeys(specifier: string): Iterable<string> {
  yield `s:${specifier}`;
  const name = baseName(specifier);
  yield `n:${name}`;
  if (/^v\d+$/.test(name)) yield `n:${baseName(parentOf(specifier))}`;
}
