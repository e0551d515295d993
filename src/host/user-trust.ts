/**
 * The trust of the user who runs this process: their store, the folders of their settings, and what they granted for
 * this process by a flag.
 *
 * Invariant: nothing here is read from a workspace. Settings that cannot be read trust no folder.
 */
import { isAbsolute, join } from 'node:path';
import type { Log } from '../base/log.ts';
import { homeDirectory } from '../storage/user-directories.ts';
import { ProcessTrust, TrustStore } from '../workspace/trust.ts';
import { userSettingsFile } from './settings-paths.ts';
import { type ProcessSettings, userSettings } from './user-settings.ts';

/** What `--trust` covers: the named directories, or whatever the one call of this process opens. */
export type TrustGrant = 'every-workspace' | readonly string[];

export function userTrust({ env, log, settings }: TrustSources, granted: TrustGrant): ProcessTrust {
  return new ProcessTrust(trustStore({ env, log, settings }), granted);
}

export interface TrustSources {
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Of the user; absent: read here. */
  readonly settings?: Pick<ProcessSettings, 'trust'> | undefined;
}

export function trustStore({ env, log, settings = userSettings(env, log) }: TrustSources): TrustStore {
  const paths = settings.trust.folders.flatMap((word) => absoluteFolder(word, env, log));
  return new TrustStore({ env, log, folders: { declaredIn: userSettingsFile(env), paths } });
}

/** `~` is the user's home. A relative folder would depend on the working directory, so it is ignored. */
function absoluteFolder(word: string, env: NodeJS.ProcessEnv, log: Log): readonly string[] {
  const path = /^~(?=[\\/]|$)/.test(word) ? join(homeDirectory(env), word.slice(1)) : word;
  if (isAbsolute(path)) return [path];
  log.warning('trust.folder-ignored', {
    code: 'cli/trust-folders',
    folder: word,
    reason: 'it is not absolute',
  });
  return [];
}
