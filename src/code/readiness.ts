/**
 * Whether a server has read the workspace, so that what it does not find is not there.
 *
 * Invariant: a server that is still busy when its time is up is not called ready.
 */
import type { WorkInProgress } from '../lsp/progress.ts';
import type { Query } from './query.ts';

export type Readiness =
  | { readonly kind: 'ready' }
  /** What it was doing when it was asked. */
  | { readonly kind: 'busy'; readonly work: readonly WorkInProgress[]; readonly waitedMs: number };

/** Waits for what the server is busy with to end, up to a limit. */
export async function readiness(
  { lease }: Query,
  { timeoutMs }: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<Readiness> {
  const { progress } = lease.server;
  if (await progress.isIdleWithin(timeoutMs, signal)) return { kind: 'ready' };
  return { kind: 'busy', work: progress.active, waitedMs: timeoutMs };
}

/** A question to a server whose readiness is known. */
export interface ReadinessQuery extends Query {
  readonly readiness: Readiness;
}

/**
 * Asks, and asks again when the server turns out to have been at work meanwhile: some begin to read the
 * workspace only when they are first asked about it.
 */
export async function settledAnswer<T>(
  query: ReadinessQuery,
  { timeoutMs, ask }: { readonly timeoutMs: number; readonly ask: () => Promise<T> },
  signal: AbortSignal,
): Promise<{ readonly answer: T; readonly readiness: Readiness }> {
  const answer = await ask();
  // A server that was busy for all of the time it is given is not given that time again.
  const isSettled = query.readiness.kind === 'busy' || !query.lease.server.progress.isBusy;
  if (isSettled) return { answer, readiness: query.readiness };
  const later = await readiness(query, { timeoutMs }, signal);
  return { answer: await ask(), readiness: later };
}
