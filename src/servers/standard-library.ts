/** The modules of the Python standard library, as listed by the checker shipped with this package. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errnoOf } from '../base/errno.ts';

const here = createRequire(import.meta.url);
let known: ReadonlySet<string> | undefined;

/** Their top-level names, case-folded; empty if the list is not available, and every module counts as a library. */
export function standardModules(): ReadonlySet<string> {
  known ??= readModules();
  return known;
}

function readModules(): ReadonlySet<string> {
  try {
    const list = join(
      dirname(here.resolve('pyright/package.json')),
      'dist/typeshed-fallback/stdlib/VERSIONS',
    );
    const names = readFileSync(list, 'utf8').matchAll(/^(\w+)[.\w]*:/gm);
    return new Set([...names].map(([, name = '']) => name.toLowerCase()));
  } catch (thrown) {
    if (errnoOf(thrown) !== undefined) return new Set();
    throw thrown;
  }
}
