/** Where the settings of a user and of a workspace are kept. */
import { join } from 'node:path';
import { placesOf } from '../cli/setup/places.ts';
import type { SettingsPlaces } from '../config/load-settings.ts';
import { repositoryTop } from '../workspace/enclosing-directories.ts';

export function settingsPlaces(env: NodeJS.ProcessEnv, directory: string): SettingsPlaces {
  // Directories above are not searched otherwise: any user could have put a file into one that is shared.
  const top = repositoryTop(directory, env) ?? directory;
  return { user: userSettingsFile(env), project: join(top, '.forerun', 'settings.json') };
}

/** The user's own settings; no directory they work in has a part in where that is. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  return join(placesOf(env, '/').applications, 'forerun', 'settings.json');
}
