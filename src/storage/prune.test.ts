import { chmod, mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KeptEntry, KeptKind } from './kept-files.ts';
import { removalMark } from './kept-files.ts';
import { mountPoints, type PruneOptions, pruneKind, selectForRemoval } from './prune.ts';

const dayMs = 24 * 3_600_000;
const now = Date.now();

let scratch: string;
let kept: string;

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'forerun-prune-'));
  kept = join(scratch, 'kept');
  await mkdir(kept);
});

afterEach(() => rm(scratch, { recursive: true, force: true }));

function kind(parts: Partial<KeptKind> = {}): KeptKind {
  return {
    name: 'things',
    about: 'things',
    directories: [kept],
    names: [/^thing-/],
    limits: { maxAgeMs: 30 * dayMs, maxBytes: 1_000_000 },
    ...parts,
  };
}

function prune(which: KeptKind, options: Partial<PruneOptions> = {}) {
  return pruneKind(which, { mode: 'limits', effect: 'remove', now, ...options });
}

/** A directory with one file, last changed so many days ago. */
async function thing(name: string, { days, bytes = 10 }: { days: number; bytes?: number }): Promise<string> {
  const directory = join(kept, name);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'content'), 'x'.repeat(bytes));
  await age(directory, days);
  return directory;
}

async function age(directory: string, days: number): Promise<void> {
  const then = new Date(now - days * dayMs);
  for (const name of await readdir(directory)) await utimes(join(directory, name), then, then);
  await utimes(directory, then, then);
}

test('what is past the age limit goes, the rest stays', async () => {
  await thing('thing-old', { days: 31 });
  await thing('thing-new', { days: 29 });
  await thing('other-old', { days: 400 });
  const report = await prune(kind());
  expect(report.removed.map(({ path }) => path)).toEqual([join(kept, 'thing-old')]);
  expect((await readdir(kept)).sort()).toEqual(['other-old', 'thing-new']);
});

test('past the size limit the oldest go first', async () => {
  await thing('thing-a', { days: 3, bytes: 60_000 });
  await thing('thing-b', { days: 5, bytes: 60_000 });
  await thing('thing-c', { days: 4, bytes: 60_000 });
  await prune(kind({ limits: { maxAgeMs: 30 * dayMs, maxBytes: 100_000 } }));
  expect(await readdir(kept)).toEqual(['thing-a']);
});

test('one recent file deep in an old directory keeps all of it', async () => {
  const directory = await thing('thing-used', { days: 90 });
  await mkdir(join(directory, 'deep'));
  await writeFile(join(directory, 'deep', 'now'), '');
  await utimes(directory, new Date(0), new Date(0));
  expect((await prune(kind())).removed).toEqual([]);
});

test('a dry run tells the same and removes nothing', async () => {
  await thing('thing-old', { days: 31 });
  const shown = await prune(kind(), { effect: 'show' });
  expect(await readdir(kept)).toEqual(['thing-old']);
  expect(await prune(kind())).toEqual(shown);
});

test('what a living process uses stays, whatever the mode', async () => {
  await thing('thing-used', { days: 400 });
  const used = kind({ isInUse: async () => true });
  for (const mode of ['limits', 'all'] as const) expect((await prune(used, { mode })).removed).toEqual([]);
});

test('what is taken up between the survey and its turn stays', async () => {
  await thing('thing-taken', { days: 400 });
  let asked = 0;
  const taken = kind({ isInUse: async () => asked++ > 0 });
  expect((await prune(taken)).removed).toEqual([]);
  expect(await readdir(kept)).toEqual(['thing-taken']);
});

test('what is written to between the survey and its turn stays', async () => {
  const directory = await thing('thing-written', { days: 400 });
  const written = kind({
    isInUse: async () => {
      await writeFile(join(directory, 'content'), 'new');
      return false;
    },
  });
  expect((await prune(written)).removed).toEqual([]);
  expect(await readdir(kept)).toEqual(['thing-written']);
});

describe('links', () => {
  let outside: string;

  beforeEach(async () => {
    outside = join(scratch, 'outside');
    await mkdir(join(outside, 'thing-inside'), { recursive: true });
    await writeFile(join(outside, 'precious'), 'precious');
    await writeFile(join(outside, 'thing-inside', 'precious'), 'precious');
    for (const path of [join(outside, 'thing-inside'), outside]) await age(path, 400);
  });

  const intact = async () => expect((await readdir(outside)).sort()).toEqual(['precious', 'thing-inside']);

  test('in the place of an entry is left alone', async () => {
    await symlink(outside, join(kept, 'thing-link'));
    await symlink(join(outside, 'precious'), join(kept, 'thing-file'));
    await symlink(outside, join(kept, `${removalMark}link`));
    expect((await prune(kind(), { mode: 'all' })).removed).toEqual([]);
    await intact();
  });

  test('inside an entry is removed, its target is not', async () => {
    const directory = await thing('thing-old', { days: 31 });
    await symlink(outside, join(directory, 'link'));
    await utimes(directory, new Date(0), new Date(0));
    await prune(kind(), { mode: 'all', now: now + dayMs });
    expect(await readdir(kept)).toEqual([]);
    await intact();
  });

  test('in the place of the directory, or on the way to an entry, leads nowhere', async () => {
    await symlink(outside, join(scratch, 'kept-link'));
    await symlink(scratch, join(kept, 'level'));
    const linked = kind({ directories: [join(scratch, 'kept-link')] });
    const deep = kind({ names: [/^level$/, /^outside$/] });
    for (const each of [linked, deep]) {
      expect(await prune(each, { mode: 'all' })).toMatchObject({ entries: 0, removed: [] });
    }
    await intact();
  });
});

test('what a crash left half removed goes with the next run', async () => {
  await thing(`${removalMark}1`, { days: 0 });
  await prune(kind());
  expect(await readdir(kept)).toEqual([]);
});

test('directories closed to their owner are removed as well', async () => {
  const directory = await thing('thing-closed', { days: 31 });
  await mkdir(join(directory, 'work'));
  await writeFile(join(directory, 'work', 'file'), '');
  await age(join(directory, 'work'), 31);
  await chmod(join(directory, 'work'), 0);
  await utimes(directory, new Date(0), new Date(0));
  await prune(kind(), { mode: 'all', now: now + dayMs });
  expect(await readdir(kept)).toEqual([]);
});

test('several processes that prune at once remove each entry once and fail at none', async () => {
  for (let n = 0; n < 30; n++) await thing(`thing-${n}`, { days: 31 + n });
  const reports = await Promise.all(Array.from({ length: 4 }, () => prune(kind())));
  expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
  const removed = reports.flatMap((report) => report.removed.map(({ path }) => path));
  expect(removed.filter((path) => !path.includes(removalMark))).toHaveLength(30);
  expect(await readdir(kept)).toEqual([]);
});

test('nothing young or in use is ever chosen, and what is left fits unless it is protected', () => {
  const entry = fc.record({
    path: fc.constant('/kept/thing'),
    bytes: fc.integer({ min: 0, max: 1000 }),
    changedAt: fc.integer({ min: 0, max: 100 }).map((days) => now - days * dayMs),
    isInUse: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(entry), fc.integer({ min: 0, max: 5000 }), (entries, maxBytes) => {
      const limits = { maxAgeMs: 30 * dayMs, maxBytes };
      const chosen = selectForRemoval(entries, limits, { mode: 'limits', now });
      const isProtected = (each: KeptEntry) => each.isInUse || now - each.changedAt < dayMs;
      expect(chosen.filter(isProtected)).toEqual([]);
      const left = entries.filter((each) => !chosen.includes(each) && !isProtected(each));
      expect(left.filter(({ changedAt }) => now - changedAt > limits.maxAgeMs)).toEqual([]);
      const total = entries
        .filter((each) => !chosen.includes(each))
        .reduce((sum, { bytes }) => sum + bytes, 0);
      expect(left.length === 0 || total <= maxBytes).toBe(true);
    }),
  );
});

test('mount points are read as the kernel writes them', () => {
  const table = '36 35 98:0 / /mnt/a\\040b rw - ext4 /dev/x rw\n37 35 98:0 / /mnt/c rw - ext4 /dev/x rw\n';
  expect(mountPoints(table)).toEqual(['/mnt/a b', '/mnt/c']);
});
