/**
 * Every file a command name may refer to, in search order.
 *
 * Unlike a lookup that stops at the first hit this continues: a launcher that finds nothing to launch must not hide a
 * working program later in the search path.
 */
import { delimiter, isAbsolute, join, sep } from 'node:path';
import type { Environment } from '../../base/environment.ts';
import { isExecutable } from '../../process/executable.ts';

export function executablesNamed(
  name: string,
  directories: readonly string[],
  env: Environment,
): readonly string[] {
  const places =
    isAbsolute(name) || name.includes(sep) ? [name] : directories.map((each) => join(each, name));
  const endings = process.platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD').split(';') : [''];
  return places.flatMap((place) => endings.map((ending) => place + ending)).filter(isExecutable);
}

/** The directories of the search path; relative ones are skipped, since they depend on the caller's directory. */
export function searchPath(env: Environment): readonly string[] {
  const directories = (env.PATH ?? env.Path ?? '').split(delimiter);
  return [...new Set(directories.filter((directory) => isAbsolute(directory)))];
}
