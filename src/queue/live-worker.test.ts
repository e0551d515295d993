import { expect, test } from 'vitest';
import { version } from '../host/version.ts';
import { type LiveWorker, takesFrom, workersOf } from './live-worker.ts';

const identity = 'git.example/team/app';

function worker(name: string, parts: Partial<LiveWorker> = {}): LiveWorker {
  return {
    name,
    version,
    concurrency: 2,
    running: 0,
    identities: [identity],
    beginnings: [],
    ...parts,
  };
}

test('workers that do not allow a repository are none of its workers', () => {
  const other = worker('other', { identities: ['git.example/team/other'] });
  const team = worker('team', { identities: [], beginnings: ['git.example/team/'] });
  expect(workersOf(identity, [other, team])).toEqual([team]);
});

test('a worker of another version is none of ours: it may answer otherwise', () => {
  expect(workersOf(identity, [worker('older', { version: '0.0.1' })])).toEqual([]);
});

test('the owner takes every job; the others, by rank, only what is too much for those before them', () => {
  const workers = [worker('one'), worker('two'), worker('three')];
  const [owner = '', second = '', third = ''] = workersOf(identity, workers).map(({ name }) => name);
  const takes = (name: string, backlog: number) => takesFrom(name, { identity, workers, backlog });
  expect(
    [0, 4, 5, 8, 9].map((backlog) => [owner, second, third].map((name) => takes(name, backlog))),
  ).toEqual([
    ['owner', undefined, undefined],
    ['owner', undefined, undefined],
    ['owner', 'thief', undefined],
    ['owner', 'thief', undefined],
    ['owner', 'thief', 'thief'],
  ]);
});

test('a repository without a known worker is taken by whoever looks', () => {
  expect(takesFrom('one', { identity, workers: [], backlog: 0 })).toBe('owner');
});
