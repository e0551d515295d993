/**
 * Keeps answers in the cache in the directory it is given: as many as it is told, or without end until it is
 * killed. Prints each number it has kept.
 */
import { silentLog } from '../../src/base/log.ts';
import { ReferenceCache } from '../../src/storage/reference-cache.ts';

const [directory = '', label = '', count = '0'] = process.argv.slice(2);
const cache = await ReferenceCache.open({ directory, log: silentLog });
if (!cache) throw new Error('there is no cache');
const limit = Number(count) || Number.POSITIVE_INFINITY;
for (let n = 0; n < limit; n++) {
  cache.keep([{ key: `${label}${n}`, fingerprint: 'f', value: 'v'.repeat(500) }]);
  process.stdout.write(`${n}\n`);
}
cache[Symbol.dispose]();
