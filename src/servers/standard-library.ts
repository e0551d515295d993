/** The modules that come with Python, as the checker that comes along with us lists them. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errnoOf } from '../base/errno.ts';

const here = createRequire(import.meta.url);
let known: ReadonlySet<string> | undefined;

/** Their first steps, case-folded; none where the list is not to be had, and every module counts as a library. */
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
