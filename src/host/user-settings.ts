/**
 * The settings of the user who runs this process: their file, then the environment.
 *
 * Invariant: nothing here is read from a workspace. A file that cannot be used counts as empty, with a warning: a process
 * that judges changes does not fail by it.
 */
import { readFileSync } from 'node:fs';
import { isMissing } from '../base/errno.ts';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { processSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import { cachePlaces } from '../storage/own-places.ts';
import { cacheDirectory } from '../storage/user-directories.ts';
import { userSettingsFile } from './settings-paths.ts';

export type ProcessSettings = Pick<
  Settings,
  'servers' | 'daemon' | 'queue' | 'sandbox' | 'audit' | 'keys' | 'trust' | 'log'
>;

export function userSettings(env: NodeJS.ProcessEnv, log: Log): ProcessSettings {
  const file = userSettingsFile(env);
  try {
    return reported(processSettings([{ file, owner: 'user', text: readFileSync(file, 'utf8') }], env), log);
  } catch (thrown) {
    if (!isMissing(thrown)) {
      const code = thrown instanceof Failure ? thrown.code : 'config/unreadable-file';
      log.warning('settings.unreadable', { code, file, error: messageOf(thrown) });
    }
    return reported(processSettings([], env), log);
  }
}

/** Where references are cached; undefined if the user turned the cache off. */
export function referenceCacheDirectory(
  { servers }: Pick<ProcessSettings, 'servers'>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const asked = servers.cacheDirectory;
  return asked === 'off' ? undefined : cachePlaces.references(asked ?? cacheDirectory(env));
}

/** The directory below which all brokers of this user have their files. */
export function brokerHome({ daemon }: Pick<ProcessSettings, 'daemon'>, env: NodeJS.ProcessEnv): string {
  return daemon.directory ?? cacheDirectory(env);
}

function reported(
  { settings, warnings }: { readonly settings: Settings; readonly warnings: readonly string[] },
  log: Log,
): ProcessSettings {
  for (const warning of warnings)
    log.warning('settings.ignored', { code: 'config/ignored-setting', warning });
  return settings;
}
