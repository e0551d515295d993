/**
 * Whether a server has indexed the workspace, so that an empty answer means none.
 *
 * Invariant: a server that is still busy at its deadline is not reported as ready.
 */
import type { WorkInProgress } from '../lsp/progress.ts';
import type { Query } from './query.ts';

export type Readiness =
  | { readonly kind: 'ready' }
  /** Its work in progress when it was asked. */
  | { readonly kind: 'busy'; readonly work: readonly WorkInProgress[]; readonly waitedMs: number };

/** Waits for the server's work in progress to end, up to a limit. */
export async function readiness(
  { lease }: Query,
  { timeoutMs }: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<Readiness> {
  const { progress } = lease.server;
  if (await progress.isIdleWithin(timeoutMs, signal)) return { kind: 'ready' };
  return { kind: 'busy', work: progress.active, waitedMs: timeoutMs };
}

/** A query on a server whose readiness is known. */
export interface ReadinessQuery extends Query {
  readonly readiness: Readiness;
}

/** Asks, and asks again if the server was busy meanwhile: some start indexing only at the first request. */
export async function settledAnswer<T>(
  query: ReadinessQuery,
  { timeoutMs, ask }: { readonly timeoutMs: number; readonly ask: () => Promise<T> },
  signal: AbortSignal,
): Promise<{ readonly answer: T; readonly readiness: Readiness }> {
  const answer = await ask();
  // A server that was busy for all of its time is not given that time again.
  const isSettled = query.readiness.kind === 'busy' || !query.lease.server.progress.isBusy;
  if (isSettled) return { answer, readiness: query.readiness };
  const later = await readiness(query, { timeoutMs }, signal);
  return { answer: await ask(), readiness: later };
}
