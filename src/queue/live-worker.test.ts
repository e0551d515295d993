import { expect, test } from 'vitest';
import { type LiveWorker, takesFrom, workersOf } from './live-worker.ts';

const identity = 'git.example/team/app';

function worker(name: string, parts: Partial<LiveWorker> = {}): LiveWorker {
  return {
    name,
    version: '1.0.0',
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

test('the owner takes every job; another one only what is too much for the owner', () => {
  const workers = [worker('one'), worker('two'), worker('three')];
  const [owner, ...others] = workersOf(identity, workers).map(({ name }) => name);
  expect(takesFrom(owner ?? '', { identity, workers, backlog: 0 })).toBe('owner');
  for (const name of others) {
    expect(takesFrom(name, { identity, workers, backlog: 4 })).toBeUndefined();
    expect(takesFrom(name, { identity, workers, backlog: 5 })).toBe('thief');
  }
});

test('a repository without a known worker is taken by whoever looks', () => {
  expect(takesFrom('one', { identity, workers: [], backlog: 0 })).toBe('owner');
});
