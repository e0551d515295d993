import { mkdir, mkdtemp, readdir, realpath, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { keptKinds } from '../../src/cli/clean/clean-kinds.ts';
import { keptSettings } from '../../src/cli/clean/clean-limits.ts';
import { RepositoryCheckouts } from '../../src/queue/repository-checkouts.ts';
import { cachePlaces } from '../../src/storage/own-places.ts';
import { pruneKind } from '../../src/storage/prune.ts';
import { cacheDirectory } from '../../src/storage/user-directories.ts';
import { GitWorkspace } from '../support/git-workspace.ts';
import { calm } from '../support/world.ts';

/** A home with the mirrors and checkouts of a worker, and a repository that it evaluates. */
class Trial implements AsyncDisposable {
  readonly home: string;
  readonly source: GitWorkspace;
  readonly closed: string[] = [];

  private constructor(home: string, source: GitWorkspace) {
    this.home = home;
    this.source = source;
  }

  static async open(): Promise<Trial> {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-checkouts-')));
    return new Trial(home, await GitWorkspace.create({ 'a.txt': 'one\n' }));
  }

  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.home };
  }

  get cache(): string {
    return cacheDirectory(this.env);
  }

  checkouts(): Promise<RepositoryCheckouts> {
    return RepositoryCheckouts.open({
      cache: this.cache,
      limit: 2,
      env: this.env,
      log: silentLog,
      close: async ({ top }) => void this.closed.push(top),
      prepare: async () => {},
    });
  }

  async wanted(): Promise<{ identity: string; remote: string; commit: string }> {
    const { root } = this.source;
    return { identity: root, remote: root, commit: (await this.source.git('rev-parse', 'HEAD')).trim() };
  }

  /** What `forerun clean` leaves of each kind, if all was last changed so many days ago. */
  async leftAfter(days: number, mode: 'limits' | 'all'): Promise<Record<string, number>> {
    const places = { mirrors: cachePlaces.mirrors(this.cache), checkouts: cachePlaces.checkouts(this.cache) };
    const then = new Date(Date.now() - days * 24 * 3_600_000);
    for (const place of Object.values(places)) {
      const entries = await readdir(place, { recursive: true, withFileTypes: true });
      for (const { parentPath, name } of entries) await utimes(join(parentPath, name), then, then);
    }
    const kinds = keptKinds(this.env, await keptSettings(this.env, calm));
    for (const kind of kinds.filter(({ name }) => Object.hasOwn(places, name)))
      await pruneKind(kind, { mode, effect: 'remove', now: Date.now() });
    const left = Object.entries(places).map(async ([name, place]) => [name, (await readdir(place)).length]);
    return Object.fromEntries(await Promise.all(left));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
    await rm(this.home, { recursive: true, force: true });
  }
}

test('a mirror that a worker reads is never removed; one that was not used for long is', async () => {
  await using trial = await Trial.open();
  {
    await using checkouts = await trial.checkouts();
    using _lease = await checkouts.lease(await trial.wanted(), calm);
    expect(await trial.leftAfter(400, 'all')).toMatchObject({ mirrors: 1 });
  }
  expect(await trial.leftAfter(20, 'limits')).toEqual({ mirrors: 1, checkouts: 0 });
  expect(await trial.leftAfter(400, 'limits')).toEqual({ mirrors: 0, checkouts: 0 });
});

test('checkouts of a living worker stay; those of one that ended on another machine go after a day', async () => {
  await using trial = await Trial.open();
  await using checkouts = await trial.checkouts();
  using _lease = await checkouts.lease(await trial.wanted(), calm);
  const other = join(cachePlaces.checkouts(trial.cache), `${'a'.repeat(16)}-${process.pid}-0123abcd`);
  await mkdir(other);
  expect(await trial.leftAfter(0.5, 'limits')).toMatchObject({ checkouts: 2 });
  expect(await trial.leftAfter(2, 'limits')).toMatchObject({ checkouts: 1 });
  expect(await trial.leftAfter(400, 'all')).toMatchObject({ checkouts: 1 });
  expect(await readdir(cachePlaces.checkouts(trial.cache))).not.toContain(basename(other));
});

test('a mirror that was removed all the same is made anew, with new checkouts', async () => {
  await using trial = await Trial.open();
  await using checkouts = await trial.checkouts();
  const first = await checkouts.lease(await trial.wanted(), calm);
  first[Symbol.dispose]();
  await rm(cachePlaces.mirrors(trial.cache), { recursive: true });
  await trial.source.write('a.txt', 'two\n');
  await trial.source.git('commit', '-q', '-am', 'two');
  using lease = await checkouts.lease(await trial.wanted(), calm);
  expect(lease.warmth).toBe('cold');
  expect(trial.closed).toEqual([first.checkout.top]);
  const changes = { from: lease.checkout.commit, to: first.checkout.commit };
  expect((await lease.checkout.mirror.changes(changes, calm)).map(({ path }) => path)).toEqual(['a.txt']);
});
