/**
 * Locates programs in directories that a project cannot write.
 *
 * Invariant: directories inside the workspace, and relative directories, are never searched.
 */
import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { isExecutable } from '../../process/executable.ts';
import { boundary, type ShellBoundary } from '../../shell/boundary.ts';
import { toolchainCommands } from '../../shell/table/toolchain-commands.ts';

const systemDirectories = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
  '/opt/homebrew/bin',
  '/run/current-system/sw/bin',
];

/** The fixed search path for commands of a workspace. */
export function fixedPath(root: string): string {
  return systemDirectories.filter((directory) => !containsPath(root, directory)).join(delimiter);
}

/** The caller's search path without directories of the project; for commands that only report on it. */
export function reportedPath(env: NodeJS.ProcessEnv, root: string): string {
  const own = (env.PATH ?? '').split(delimiter);
  return own.filter((directory) => isAbsolute(directory) && !containsPath(root, directory)).join(delimiter);
}

export interface ProgramRequest {
  readonly name: string;
  readonly at: number;
  readonly env: NodeJS.ProcessEnv;
  readonly root: string;
  /** Whether any version of the program gives the same answer, or only the caller's. */
  readonly answers: 'any' | 'own';
}

export interface Program {
  readonly path: string;
  /** The name it is started by, which appears in its messages; the path if its search path differs. */
  readonly calledAs: string;
}

/**
 * The program of a command. A toolchain's version is reported only if the caller's search path leads to the same
 * program: another program has another version, and a shim may install software.
 */
export async function findProgram(request: ProgramRequest): Promise<Program | ShellBoundary> {
  const { name, at, env, root, answers } = request;
  const path = locate(name, fixedPath(root));
  if (path === undefined) return boundary('program', at, `${name} is not installed in a system directory`);
  if (answers === 'any' || !toolchainCommands.has(name))
    return { path, calledAs: name === 'which' ? path : name };
  const own = locate(name, env.PATH ?? '');
  const isSame = own !== undefined && (await realpath(own)) === (await realpath(path));
  if (isSame) return { path, calledAs: name };
  return boundary('toolchain', at, `${name} is ${own ?? 'not found'} in your search path, not ${path}`);
}

function locate(name: string, path: string): string | undefined {
  const directories = path.split(delimiter).filter(isAbsolute);
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

/** Whether `path` is `directory` or lies inside it. */
export function containsPath(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith('../') || isAbsolute(way));
}
