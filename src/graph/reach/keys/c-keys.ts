import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { baseName } from '../../../workspace/workspace-path.ts';
import type { ReachKeys } from './reach-keys.ts';

/**
 * Keys of C files: `n:` the last name of an include, since search paths may start anywhere, and `forced` for headers
 * that the compiler's flags include everywhere.
 *
 * Invariant: a header forced by any known flag reaches every file.
 */
export class CKeys implements ReachKeys {
  readonly #forced = new Map<WorkspacePath, ReadonlySet<string>>();

  *importKeys(_from: WorkspacePath, specifiers: readonly string[]): Iterable<string> {
    yield 'forced';
    for (const specifier of specifiers) yield `n:${lastName(specifier)}`;
  }

  *fileKeys(path: WorkspacePath): Iterable<string> {
    const name = lastName(path);
    yield `n:${name}`;
    for (const names of this.#forced.values()) if (names.has(name)) yield 'forced';
  }

  configure(path: WorkspacePath, text: string | undefined): void {
    const names = [...(text ?? '').matchAll(forcedInclude)].map((match) => lastName(match[1] ?? ''));
    if (names.length === 0) this.#forced.delete(path);
    else this.#forced.set(path, new Set(names));
  }

  doubt(): undefined {}
}

function lastName(path: string): string {
  return baseName(path.replaceAll('\\', '/')).toLowerCase();
}

/** `-include pch.h` on a line, in a shell command, or as two strings of a JSON or YAML list. */
const forcedInclude = /(?:-include(?:-pch)?|-imacros|\/FI)["',\s=]*([^\s"',\]]+)/g;
