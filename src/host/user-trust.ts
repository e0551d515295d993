/**
 * The trust of the user who runs this process: their store, the folders of their settings, and what they granted for
 * this process by a flag.
 *
 * Invariant: nothing here is read from a workspace. Settings that cannot be read trust no folder.
 */
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isMissing } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { readSettings } from '../config/settings-file.ts';
import { homeDirectory } from '../storage/user-directories.ts';
import { ProcessTrust, TrustStore } from '../workspace/trust.ts';
import { userSettingsFile } from './settings-paths.ts';

/** What `--trust` covers: the named directories, or whatever the one call of this process opens. */
export type TrustGrant = 'every-workspace' | readonly string[];

export function userTrust(env: NodeJS.ProcessEnv, log: Log, granted: TrustGrant): ProcessTrust {
  return new ProcessTrust(trustStore(env, log), granted);
}

export function trustStore(env: NodeJS.ProcessEnv, log: Log): TrustStore {
  const declaredIn = userSettingsFile(env);
  return new TrustStore({ env, log, folders: { declaredIn, paths: foldersIn(declaredIn, env, log) } });
}

function foldersIn(file: string, env: NodeJS.ProcessEnv, log: Log): readonly string[] {
  try {
    const { values } = readSettings({ file, owner: 'user', text: readFileSync(file, 'utf8') });
    const folders = values.find(({ setting }) => setting.key === 'trust.folders')?.value;
    const words = Array.isArray(folders) ? folders.map(String) : [];
    return words.flatMap((word) => absoluteFolder(word, env, log));
  } catch (thrown) {
    if (!isMissing(thrown)) {
      log.warning('trust.folders-unreadable', { code: 'cli/trust-folders', file, error: messageOf(thrown) });
    }
    return [];
  }
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
