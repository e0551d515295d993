/**
 * What a live worker says of itself, for the routing of jobs.
 *
 * Invariant: a record that was not sealed with the shared secret, or that names another worker, counts for nothing.
 */
import { z } from 'zod';
import { version } from '../host/version.ts';
import type { QueueStore } from './queue-store.ts';
import { ranked } from './rendezvous.ts';
import { covers } from './repository-identity.ts';
import type { Seal } from './seal.ts';

const liveWorkerSchema = z.object({
  name: z.string().min(1),
  version: z.string(),
  /** How many jobs it runs at once. */
  concurrency: z.number().int().positive(),
  running: z.number().int().nonnegative(),
  identities: z.array(z.string()),
  beginnings: z.array(z.string()),
});

export type LiveWorker = z.infer<typeof liveWorkerSchema>;

export async function announceWorker(store: QueueStore, seal: Seal, worker: LiveWorker): Promise<void> {
  await store.announce(worker.name, seal.close('worker', worker.name, JSON.stringify(worker)));
}

export async function liveWorkers(store: QueueStore, seal: Seal): Promise<readonly LiveWorker[]> {
  return [...(await store.workers())].flatMap(([name, sealed]) => {
    const text = seal.open('worker', name, sealed);
    const { data } = liveWorkerSchema.safeParse(text === undefined ? undefined : JSON.parse(text));
    return data && data.name === name ? [data] : [];
  });
}

/** The workers of a repository that are of this version, its owner first. */
export function workersOf(identity: string, workers: readonly LiveWorker[]): readonly LiveWorker[] {
  return ranked(
    identity,
    workers.filter((worker) => worker.version === version && covers(worker, identity)),
  );
}

/** How many jobs may wait for each place of the workers before it until a worker helps, which first has to get warm. */
const patience = 2;

/** Whether a worker takes jobs of a repository: as its owner, or because those before it have too many. */
export function takesFrom(
  name: string,
  {
    identity,
    workers,
    backlog,
  }: { readonly identity: string; readonly workers: readonly LiveWorker[]; readonly backlog: number },
): 'owner' | 'thief' | undefined {
  const order = workersOf(identity, workers);
  const rank = order.findIndex((worker) => worker.name === name);
  if (order.length === 0 || rank === 0) return 'owner';
  // The next in rank comes first, so that a repository with many jobs always meets the same, warm helpers.
  const before = rank < 0 ? order : order.slice(0, rank);
  const places = before.reduce((sum, { concurrency }) => sum + concurrency, 0);
  return backlog > places * patience ? 'thief' : undefined;
}
