/**
 * The programs of `test/children`, each of which runs in a process of its own. They are bundled once per run: to compile
 * the sources in every process anew took longer than most of what these processes do.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Set by the global set-up to the directory of the bundles. */
export const childrenVariable = 'FORERUN_TEST_CHILDREN';

/** The file to hand to `node`. */
export function childProgram(name: string): string {
  const file = join(process.env[childrenVariable] ?? '', `${name}.js`);
  if (!existsSync(file)) throw new Error(`${name} is not bundled: is it in test/children?`);
  return file;
}
