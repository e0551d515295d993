/** Where answers of language servers are kept for later: what the environment says, else the user's folder of caches. */
import { join } from 'node:path';
import { cacheDirectory } from '../storage/user-directories.ts';

/** Undefined where nothing is to be kept. */
export function cacheDirectoryOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const asked = env.FORERUN_CACHE_DIR;
  if (asked === 'off') return undefined;
  return join(asked || cacheDirectory(env), 'references');
}
