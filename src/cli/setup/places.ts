/** The directories in which this user and system keep settings. */
import { join, resolve } from 'node:path';
import { applicationsDirectory, homeDirectory } from '../../storage/user-directories.ts';
import type { Places } from './client-target.ts';

export function placesOf(env: NodeJS.ProcessEnv, project: string): Places {
  return {
    home: homeDirectory(env),
    project,
    applications: applicationsDirectory(env),
    platform: process.platform,
    variable: (name) => (env[name] === '' ? undefined : env[name]),
  };
}

/** A path as typed: `~/` is the home directory, a relative path starts in the project. */
export function typedPath(word: string, { home, project }: Places): string {
  return word.startsWith('~/') ? join(home, word.slice(2)) : resolve(project, word);
}
