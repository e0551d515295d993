/** Where this user and this system keep their settings. */
import { isAbsolute, join, resolve } from 'node:path';
import { homeDirectory } from '../../storage/user-directories.ts';
import type { Places } from './client-target.ts';

export function placesOf(env: NodeJS.ProcessEnv, project: string): Places {
  const home = homeDirectory(env);
  return { home, project, applications: applicationsIn(home, env), platform: process.platform };
}

/** A path as a user types it: `~/` is their home, anything relative starts in the project. */
export function typedPath(word: string, { home, project }: Places): string {
  return word.startsWith('~/') ? join(home, word.slice(2)) : resolve(project, word);
}

function applicationsIn(home: string, env: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (process.platform === 'win32') return absolute(env.APPDATA) ?? join(home, 'AppData', 'Roaming');
  return absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config');
}

/** A relative directory would be another one in every workspace, and the workspace's to fill. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
