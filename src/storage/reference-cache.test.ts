import { chmodSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Log, type LogRecord, silentLog } from '../base/log.ts';
import { UnusableArtifact } from './cache-artifact.ts';
import { openDatabase } from './database.ts';
import { type KeptAnswer, ReferenceCache } from './reference-cache.ts';

const calm = new AbortController().signal;
let scratch = '';

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'forerun-cache-'));
});
afterEach(async () => {
  await rm(scratch, { recursive: true, force: true });
});

const at = (name: string): string => join(scratch, name);

async function opened(
  directory = at('cache'),
  more: { maxBytes?: number; log?: Log } = {},
): Promise<ReferenceCache> {
  const cache = await ReferenceCache.open({ directory, log: silentLog, ...more });
  if (!cache) throw new Error('there is no cache');
  return cache;
}

/** A packed cache of some size. */
async function filled(): Promise<{ readonly bytes: Uint8Array }> {
  using cache = await opened(at('filled'));
  const value = 'v'.repeat(300);
  cache.keep(Array.from({ length: 300 }, (_, n) => ({ key: `k${n}`, fingerprint: 'f', value })));
  return await cache.pack(calm);
}

function answers(...names: readonly string[]): readonly KeptAnswer[] {
  return names.map((name) => ({ key: name, fingerprint: 'f', value: `value of ${name}` }));
}

describe('a cache', () => {
  test('gives an answer back only under the fingerprint it was kept under', async () => {
    using cache = await opened();
    cache.keep([{ key: 'k', fingerprint: 'one', value: '1' }]);
    cache.keep([{ key: 'k', fingerprint: 'two', value: '2' }]);
    expect(['one', 'two', 'three'].map((print) => cache.answer('k', print))).toEqual(['1', '2', undefined]);
    expect(cache.answer('other', 'one')).toBeUndefined();
  });

  test('outlives the process, in a directory nobody else may look into', async () => {
    {
      using cache = await opened();
      cache.keep(answers('a'));
      cache.keepFacts('python', [{ path: 'a.py', stamp: 's', value: 'v' }], []);
      cache.keepVersion('/bin/server', '1.2');
    }
    using again = await opened();
    expect(again.answer('a', 'f')).toBe('value of a');
    expect(again.facts('python')).toEqual([{ path: 'a.py', stamp: 's', value: 'v' }]);
    expect(again.facts('ecmascript')).toEqual([]);
    expect(again.versionOf('/bin/server')).toBe('1.2');
    expect((await stat(at('cache'))).mode & 0o777).toBe(0o700);
  });

  test('lets go of what was not used for longest when there is no more room', async () => {
    using cache = await opened(at('cache'), { maxBytes: 4000 });
    const large = (name: string): KeptAnswer => ({ key: name, fingerprint: 'f', value: 'x'.repeat(900) });
    for (const name of ['a', 'b', 'c', 'd']) cache.keep([large(name)]);
    expect(cache.answer('a', 'f')).toBeDefined();
    cache.keep([large('e')]);
    const kept = ['a', 'b', 'c', 'd', 'e'].filter((name) => cache.answer(name, 'f') !== undefined);
    expect(kept).toContain('a');
    expect(kept).toContain('e');
    expect(kept).not.toContain('b');
  });

  test('serves two who have it open at once', async () => {
    using one = await opened();
    using two = await opened();
    one.keep(answers('a'));
    two.keep(answers('b'));
    expect(two.answer('a', 'f')).toBeDefined();
    expect(one.answer('b', 'f')).toBeDefined();
  });
});

describe('a file that is not what it should be', () => {
  const damages: readonly (readonly [string, (file: string) => Promise<void>])[] = [
    ['no database', (file) => writeFile(file, 'nothing of the kind '.repeat(1000))],
    ['cut short', async (file) => writeFile(file, (await readFile(file)).subarray(0, 5000))],
    [
      'overwritten in the middle',
      async (file) => {
        const bytes = await readFile(file);
        bytes.fill(0x5a, 4096, 4096 + 2048);
        await writeFile(file, bytes);
      },
    ],
    [
      'of another layout',
      async (file) => {
        using database = await openDatabase(file);
        database.exec('CREATE TABLE more (a TEXT)');
      },
    ],
  ];

  test.each(damages)('%s: gives place to an empty cache that works', async (_name, damage) => {
    await mkdir(at('cache'));
    await writeFile(at('cache/refs.db'), gunzipSync((await filled()).bytes));
    await damage(at('cache/refs.db'));
    const records: LogRecord[] = [];
    using cache = await opened(at('cache'), { log: new Log((record) => records.push(record)) });
    expect(records.map(({ event }) => event)).toEqual(['cache.rebuilt']);
    expect(cache.size).toBe(0);
    cache.keep(answers('a'));
    expect(cache.answer('a', 'f')).toBeDefined();
  });

  test('what cannot be a cache at all is no cache, and said once', async () => {
    await mkdir(at('cache/refs.db'), { recursive: true });
    await writeFile(at('file'), '');
    for (const directory of [at('cache'), at('file/below')]) {
      const records: LogRecord[] = [];
      const log = new Log((record) => records.push(record));
      expect(await ReferenceCache.open({ directory, log })).toBeUndefined();
      expect(records.filter(({ event }) => event === 'cache.absent')).toHaveLength(1);
    }
  });

  test.skipIf(process.getuid?.() === 0)('a directory that may not be written to is no cache', async () => {
    await mkdir(at('closed'));
    chmodSync(at('closed'), 0o500);
    expect(await ReferenceCache.open({ directory: at('closed/cache'), log: silentLog })).toBeUndefined();
  });
});

describe('a packed cache', () => {
  test('takes the place of another, facts about the machine left behind', async () => {
    using from = await opened(at('from'));
    from.keep(answers('a', 'b'));
    from.keepFacts('python', [{ path: 'a.py', stamp: 's', value: 'v' }], []);
    const { bytes, size } = await from.pack(calm);
    expect(size).toBe(2);
    using to = await opened(at('to'));
    to.keep(answers('c'));
    expect(await to.unpack(bytes, calm)).toBe(2);
    expect(['a', 'b', 'c'].map((key) => to.answer(key, 'f') !== undefined)).toEqual([true, true, false]);
    expect(to.facts('python')).toEqual([]);
    expect(await readdir(at('from'))).not.toContain(expect.stringContaining('.tmp'));
  });

  test('that is damaged in any way is refused by name, and the cache stays as it was', async () => {
    const { bytes } = await filled();
    using database = await openDatabase(at('foreign.db'));
    database.exec('CREATE TABLE symbol_refs (file_path TEXT)');
    database.all('PRAGMA journal_mode = DELETE');
    const broken = [
      Buffer.from('no archive'),
      bytes.subarray(0, bytes.length / 2),
      gzipSync('no database'.repeat(500)),
      gzipSync(await readFile(at('foreign.db'))),
    ];
    using to = await opened(at('to'));
    to.keep(answers('c'));
    for (const packed of broken) {
      await expect(to.unpack(packed, calm)).rejects.toBeInstanceOf(UnusableArtifact);
      expect(to.answer('c', 'f')).toBeDefined();
    }
    expect((await readdir(at('to'))).filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});
