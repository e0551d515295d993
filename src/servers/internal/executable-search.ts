/**
 * Every file a command name may stand for, in the order in which they would be tried.
 *
 * Unlike a lookup that stops at the first hit this goes on: a launcher that finds nothing to launch must not
 * hide a working program further down the search path.
 */
import { delimiter, isAbsolute, join, sep } from 'node:path';
import { isExecutable } from '../../process/executable.ts';
import type { Environment } from '../../storage/user-directories.ts';

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

/** The directories of the search path; relative ones are left out, since they would mean another place for every caller. */
export function searchPath(env: Environment): readonly string[] {
  const directories = (env.PATH ?? env.Path ?? '').split(delimiter);
  return [...new Set(directories.filter((directory) => isAbsolute(directory)))];
}
