import { expect, test } from 'vitest';
import { ranked } from './rendezvous.ts';

const workers = Array.from({ length: 8 }, (_, index) => ({ name: `worker-${index}` }));
const repositories = Array.from({ length: 2000 }, (_, index) => `git.example/team/repository-${index}`);

test('the order of the list is without effect', () => {
  const turned = [...workers].reverse();
  for (const repository of repositories.slice(0, 50))
    expect(ranked(repository, turned)).toEqual(ranked(repository, workers));
});

test('every worker owns about as many repositories as the others', () => {
  const counts = new Map<string, number>();
  for (const repository of repositories) {
    const owner = ranked(repository, workers)[0]?.name ?? '';
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const expected = repositories.length / workers.length;
  for (const { name } of workers) {
    expect(counts.get(name)).toBeGreaterThan(expected * 0.7);
    expect(counts.get(name)).toBeLessThan(expected * 1.3);
  }
});

test('when a worker goes, only its own repositories change hands', () => {
  const left = workers.filter(({ name }) => name !== 'worker-3');
  for (const repository of repositories) {
    const [before, second] = ranked(repository, workers);
    const [after] = ranked(repository, left);
    expect(after).toEqual(before?.name === 'worker-3' ? second : before);
  }
});
