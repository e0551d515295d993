/** Where cached references are kept: the directory that the environment names, else one in the user's caches. */
import { cachePlaces } from '../storage/own-places.ts';
import { cacheDirectory } from '../storage/user-directories.ts';

/** Undefined where the user turned the cache off. */
export function referenceCacheDirectory(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const asked = env.FORERUN_CACHE_DIR;
  if (asked === 'off') return undefined;
  return cachePlaces.references(asked || cacheDirectory(env));
}
