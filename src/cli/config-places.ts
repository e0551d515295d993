/** Where the settings of a user and of a workspace are kept. */
import { dirname, join } from 'node:path';
import type { SettingsPlaces } from '../config/load-settings.ts';
import { placesOf } from './setup/places.ts';
import { exists } from './setup/setup-files.ts';

export async function settingsPlaces(env: NodeJS.ProcessEnv, directory: string): Promise<SettingsPlaces> {
  return {
    user: userSettingsFile(env),
    project: join(await topOf(directory), '.forerun', 'settings.json'),
  };
}

/** The user's own settings; no directory they work in has a part in where that is. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  return join(placesOf(env, '/').applications, 'forerun', 'settings.json');
}

/**
 * The top of the repository, else the directory itself. Directories above are not searched otherwise: anybody could
 * have put a file into one that is shared.
 */
async function topOf(directory: string): Promise<string> {
  for (let top = directory; ; top = dirname(top)) {
    if (await exists(join(top, '.git'))) return top;
    if (dirname(top) === top) return directory;
  }
}
