/** The settings files of a user and of a workspace. */
import { join } from 'node:path';
import type { SettingsPlaces } from '../config/load-settings.ts';
import { applicationsDirectory } from '../storage/user-directories.ts';
import { repositoryTop } from '../workspace/enclosing-directories.ts';

export function settingsPaths(env: NodeJS.ProcessEnv, directory: string): SettingsPlaces {
  // Without a repository, directories above are not searched: in a shared one any user could have put a file.
  const top = repositoryTop(directory, env) ?? directory;
  return { user: userSettingsFile(env), project: join(top, '.forerun', 'settings.json') };
}

/** The user's own settings; the path does not depend on the working directory. */
export function userSettingsFile(env: NodeJS.ProcessEnv): string {
  return join(applicationsDirectory(env), 'forerun', 'settings.json');
}
