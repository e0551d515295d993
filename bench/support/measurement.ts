/**
 * Taking samples so that two things can be compared on a machine that is busy with others as well.
 *
 * Invariant: what is compared is sampled in turn, one of each per round and the order turned every round, so
 * that whatever slows the machine slows both; warm-up rounds are thrown away.
 */
export interface Measurement {
  readonly unit: 'ms' | 'MB';
  readonly median: number;
  readonly p95: number;
  readonly count: number;
}

/** Does the thing once and answers how many milliseconds of it count; `round` differs from sample to sample. */
export type Sampler = (round: number) => Promise<number>;

export interface SamplingPlan {
  readonly warmUp: number;
  readonly rounds: number;
  /** Samples of ours in each round, where what stands beside is so slow that one would find everything cold; 1 unless given. */
  readonly oursPerRound?: number;
}

export interface Compared {
  readonly ours: Measurement;
  readonly beside: Measurement;
}

export async function sampleInTurn(
  samplers: { readonly ours: Sampler; readonly beside: Sampler },
  plan: SamplingPlan,
  signal: AbortSignal,
): Promise<Compared> {
  const { oursPerRound = 1 } = plan;
  const taken: Record<'ours' | 'beside', number[]> = { ours: [], beside: [] };
  for (let round = 0; round < plan.warmUp + plan.rounds; round++) {
    const order = round % 2 === 0 ? (['ours', 'beside'] as const) : (['beside', 'ours'] as const);
    for (const side of order) {
      const repeats = side === 'ours' ? oursPerRound : 1;
      for (let at = 0; at < repeats; at++) {
        signal.throwIfAborted();
        const elapsedMs = await samplers[side](round * repeats + at);
        if (round >= plan.warmUp) taken[side].push(elapsedMs);
      }
    }
  }
  return { ours: measurementOf(taken.ours, 'ms'), beside: measurementOf(taken.beside, 'ms') };
}

export function measurementOf(values: readonly number[], unit: Measurement['unit']): Measurement {
  const sorted = [...values].sort((a, b) => a - b);
  return { unit, median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), count: sorted.length };
}

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The nearest rank, so that every number printed was really measured. */
function quantile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
}
