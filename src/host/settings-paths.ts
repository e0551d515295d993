/** Where the settings of a user and of a workspace are kept. */
import { join } from 'node:path';
import type { SettingsPlaces } from '../config/load-settings.ts';
import { applicationsDirectory } from '../storage/user-directories.ts';
import { repositoryTop } from '../workspace/enclosing-directories.ts';

export function settingsPaths(env: NodeJS.ProcessEnv, directory: string): SettingsPlaces {
  // Directories above are not searched otherwise: any user could have put a file into one that is shared.
  const top = repositoryTop(directory, env) ?? directory;
  return { user: userSettingsFile(env), project: join(top, '.forerun', 'settings.json') };
}

/** The user's own settings. Its path does not depend on the directory they work in. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  return join(applicationsDirectory(env), 'forerun', 'settings.json');
}
