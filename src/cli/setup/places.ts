/** Where this user and this system keep their settings. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Places } from './client-target.ts';

export function placesOf(env: NodeJS.ProcessEnv, project: string): Places {
  const home = homedir();
  return { home, project, applications: applicationsIn(home, env), platform: process.platform };
}

/** A path as a user types it: `~/` is their home, anything relative starts in the project. */
export function typedPath(word: string, { home, project }: Places): string {
  return word.startsWith('~/') ? join(home, word.slice(2)) : resolve(project, word);
}

function applicationsIn(home: string, env: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (process.platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
