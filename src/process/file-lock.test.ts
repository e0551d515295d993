import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileLock, type LockPlace, lockHolder } from './file-lock.ts';
import { ownMark, ownProcessSpace } from './living-process.ts';

let directory: string;
let place: LockPlace;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'forerun-lock-'));
  const file = join(directory, 'deep', 'lock');
  place = { file, makeDirectory: () => mkdirSync(dirname(file), { recursive: true }) };
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Larger than any pid of a system. */
const unused = 2 ** 30;
const minuteMs = 60_000;
const hour = (): Date => new Date(Date.now() - 60 * minuteMs);

function plant(text: string, file = place.file): void {
  place.makeDirectory();
  writeFileSync(file, text);
}

function holder(parts: object): string {
  return JSON.stringify({ ...ownMark(), place: ownProcessSpace(), ...parts });
}

test('L1: a held lock is refused, also within one process, and free once it is released', () => {
  {
    using held = FileLock.tryAcquire(place);
    expect(held?.isHeld).toBe(true);
    expect(lockHolder(place.file)).toMatchObject(ownMark());
    expect(FileLock.tryAcquire(place)).toBeUndefined();
  }
  expect(lockHolder(place.file)).toBeUndefined();
  using again = FileLock.tryAcquire(place);
  expect(again?.isHeld).toBe(true);
  expect(readdirSync(dirname(place.file))).toEqual(['lock']);
});

test.each<[string, () => string, 'fresh' | 'old', 'taken over' | 'held']>([
  ['L3: of a living process, however old', () => holder({}), 'old', 'held'],
  ['L5: of a dead process', () => holder({ pid: unused, started: '1' }), 'fresh', 'taken over'],
  ['L5: of a process whose id was given to us', () => holder({ started: '1' }), 'fresh', 'taken over'],
  ['of another machine, fresh', () => holder({ place: 'elsewhere boot ns' }), 'fresh', 'held'],
  ['of another machine, abandoned', () => holder({ place: 'elsewhere boot ns' }), 'old', 'taken over'],
  ['L2: not written yet', () => '', 'fresh', 'held'],
  ['no lock of ours, abandoned', () => '[]', 'old', 'taken over'],
])('a lock %s', (_, text, age, expected) => {
  plant(text());
  if (age === 'old') utimesSync(place.file, hour(), hour());
  using lock = FileLock.tryAcquire(place);
  expect(lock === undefined ? 'held' : 'taken over').toBe(expected);
});

test.runIf(process.platform === 'linux')('a lock of an earlier boot of this machine is stale at once', () => {
  const [host] = ownProcessSpace().split(' ');
  plant(holder({ place: `${host} an-earlier-boot ns` }));
  using lock = FileLock.tryAcquire(place);
  expect(lock?.isHeld).toBe(true);
});

test('L4: a stale lock stays while a living process takes it over', () => {
  const stale = holder({ pid: unused, started: '1' });
  plant(stale);
  {
    using _takeover = FileLock.tryAcquire({ ...place, file: `${place.file}.takeover` });
    expect(FileLock.tryAcquire(place)).toBeUndefined();
    expect(readFileSync(place.file, 'utf8')).toBe(stale);
  }
  using lock = FileLock.tryAcquire(place);
  expect(lock?.isHeld).toBe(true);
});

test('L5: a process killed while it took over blocks no other, and what it left is swept', () => {
  plant(holder({ pid: unused, started: '1' }));
  plant(holder({ pid: unused, started: '1' }), `${place.file}.takeover`);
  plant(holder({ pid: unused, started: '1' }), `${place.file}.takeover.takeover`);
  plant('', `${place.file}-00000000-0000-4000-8000-000000000000`);
  using lock = FileLock.tryAcquire(place);
  expect(lock?.isHeld).toBe(true);
  lock?.sweep();
  expect(readdirSync(dirname(place.file))).toEqual(['lock']);
});

test('L6: a holder whose lock was replaced does not release the new one', () => {
  const lock = FileLock.tryAcquire(place);
  plant(holder({ token: 'another' }));
  expect(lock?.isHeld).toBe(false);
  lock?.[Symbol.dispose]();
  expect(existsSync(place.file)).toBe(true);
});

test('a waiter gets the lock when it is released, and leaves when its signal aborts', async () => {
  const held = FileLock.tryAcquire(place);
  const enough = new AbortController();
  const leaving = FileLock.acquire(place, enough.signal);
  enough.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  const waiting = FileLock.acquire(place, AbortSignal.timeout(minuteMs));
  held?.[Symbol.dispose]();
  using lock = await waiting;
  expect(lock.isHeld).toBe(true);
});

test('waiters do not wake one another: nothing is written while the lock is held', async () => {
  const lock = FileLock.tryAcquire(place);
  const { signal } = new AbortController();
  const names = new Set<string>();
  const watcher = watch(dirname(place.file), (_, name) => names.add(name ?? ''));
  const waiting = [1, 2, 3].map(async () => {
    using _turn = await FileLock.acquire(place, signal);
  });
  // Longer than a waiter waits without a report.
  await delay(500);
  expect([...names]).toEqual([]);
  watcher.close();
  lock?.[Symbol.dispose]();
  await Promise.all(waiting);
});

test('a directory that another process removes while we acquire is created again', () => {
  let removals = 0;
  const removing: LockPlace = {
    ...place,
    makeDirectory: () => {
      place.makeDirectory();
      if (removals++ < 3) rmSync(dirname(place.file), { recursive: true });
    },
  };
  using lock = FileLock.tryAcquire(removing);
  expect(lock?.isHeld).toBe(true);
});
