/**
 * Which workers a repository belongs to, by rendezvous hashing.
 *
 * Invariant: all processes that know the same workers agree, without asking one another. When a worker comes or goes, only
 * the repositories that it owns change their owner.
 */
import { sha256 } from '../storage/hash.ts';

/** The workers, that with the highest weight for this repository first. */
export function ranked<W extends { readonly name: string }>(
  repository: string,
  workers: readonly W[],
): readonly W[] {
  const weighed = workers.map((worker) => ({ worker, weight: sha256(`${repository}\0${worker.name}`) }));
  weighed.sort((one, other) => (one.weight < other.weight ? 1 : one.weight > other.weight ? -1 : 0));
  return weighed.map(({ worker }) => worker);
}
