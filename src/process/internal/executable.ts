/**
 * Resolves a command name to a file, like execvp.
 *
 * Invariant: the returned file existed and was executable when it was checked.
 */
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isExecutable } from '../executable.ts';

export function findExecutable(
  program: string,
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): string | undefined {
  if (isAbsolute(program) || program.includes('/')) {
    return firstExecutable(resolve(where.cwd, program), where.env);
  }
  for (const directory of (where.env.PATH ?? where.env.Path ?? '').split(delimiter)) {
    const found = firstExecutable(resolve(where.cwd, join(directory || '.', program)), where.env);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstExecutable(path: string, env: NodeJS.ProcessEnv): string | undefined {
  const extensions = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE').split(';')] : [''];
  return extensions.map((extension) => path + extension).find(isExecutable);
}
