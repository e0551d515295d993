/** Where answers of language servers are kept for later: what the environment says, else the user's folder of caches. */
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Undefined where nothing is to be kept. */
export function cacheDirectoryOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const asked = env.FORERUN_CACHE_DIR;
  if (asked === 'off') return undefined;
  return join(asked || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'forerun'), 'references');
}
