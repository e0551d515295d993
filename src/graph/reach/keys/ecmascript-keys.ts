import { posix } from 'node:path';
import type { WorkspacePath } from '../../../workspace/workspace-path.ts';
import { baseName } from '../../../workspace/workspace-path.ts';
import { directoryOf } from '../reach-family.ts';
import { modulePlaces, withoutSourceExtension } from './ecmascript-path.ts';
import { ModuleAliases } from './module-aliases.ts';
import type { ReachKeys } from './reach-keys.ts';

/**
 * Keys of ECMAScript modules. For relative specifiers: `p:` the path, `q:` the path without a source extension (so
 * `./a.js` finds `a.ts` and never `a/index.ts`). For all others: `n:` the last name, `s:` the whole, `x:` each
 * leading part, by which aliases find their importers.
 *
 * Invariant: relative specifiers are resolved exactly; others reach every file they may refer to by name or alias.
 */
export class EcmascriptKeys implements ReachKeys {
  readonly #aliases = new ModuleAliases();

  *importKeys(from: WorkspacePath, specifiers: readonly string[]): Iterable<string> {
    for (const specifier of specifiers) {
      // Bundlers allow a query after a path.
      const target = specifier.toLowerCase().replace(/(?<=.)\?.*$/, '');
      if (/^\.\.?(?:\/|$)/.test(target)) yield relativeKey(directoryOf(from.toLowerCase()), target);
      else yield* bareKeys(target);
    }
  }

  *fileKeys(path: WorkspacePath): Iterable<string> {
    const places = modulePlaces(path.toLowerCase());
    yield* stemKeys(places.stem);
    if (places.directory !== undefined) yield* placeKeys(places.directory);
    for (const stem of this.#aliases.otherStems(places.stem)) {
      yield* stemKeys(stem);
      if (baseName(stem) === 'index') yield* placeKeys(directoryOf(stem));
    }
    yield* this.#aliases.importKeysOf(places);
  }

  configure(path: WorkspacePath, text: string | undefined): void {
    this.#aliases.configure(path, text);
  }

  doubt(): string | undefined {
    return this.#aliases.doubt();
  }
}

function relativeKey(directory: string, target: string): string {
  const place = posix.join(directory, target).replace(/\/$/, '').replace(/^\.$/, '');
  const bare = withoutSourceExtension(place);
  return bare === place ? `p:${place}` : `q:${bare}`;
}

function* bareKeys(specifier: string): Iterable<string> {
  yield `s:${specifier}`;
  yield `n:${baseName(withoutSourceExtension(specifier)).replace(/^[#@~]/, '')}`;
  yield 'x:';
  for (let slash = specifier.indexOf('/'); slash >= 0; slash = specifier.indexOf('/', slash + 1)) {
    yield `x:${specifier.slice(0, slash + 1)}`;
  }
}

/** A file has keys for its stem with and without an extension. */
function* stemKeys(stem: string): Iterable<string> {
  yield `q:${stem}`;
  yield* placeKeys(stem);
}

/** A path has a key of its full spelling even if it happens to end like a source file. */
function* placeKeys(place: string): Iterable<string> {
  yield `p:${place}`;
  yield `n:${baseName(place)}`;
  const bare = withoutSourceExtension(place);
  if (bare === place) return;
  yield `q:${bare}`;
  yield `n:${baseName(bare)}`;
}
