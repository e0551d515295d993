/**
 * How many tokens requests used.
 *
 * Invariant: a sum knows how much came from a cache only if every part of it does.
 */
export interface Usage {
  /** All tokens of the prompt, those from the cache included. */
  readonly input: number;
  /** How many of them a cache supplied; undefined where the provider does not say. */
  readonly cachedInput: number | undefined;
  /** How many of them were put into a cache for later. */
  readonly cacheWrite: number;
  readonly output: number;
}

export const noUsage: Usage = { input: 0, cachedInput: undefined, cacheWrite: 0, output: 0 };

/** Tokens of the prompt that had to be computed; all of them where the provider does not say. */
export function uncachedInput({ input, cachedInput }: Usage): number {
  return input - (cachedInput ?? 0);
}

/** `noUsage` is neutral: a request that used nothing says nothing about caching. */
export function addUsage(one: Usage, other: Usage): Usage {
  if (isEmpty(one)) return other;
  if (isEmpty(other)) return one;
  const isKnown = one.cachedInput !== undefined && other.cachedInput !== undefined;
  return {
    input: one.input + other.input,
    cachedInput: isKnown ? (one.cachedInput ?? 0) + (other.cachedInput ?? 0) : undefined,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    output: one.output + other.output,
  };
}

function isEmpty({ input, cacheWrite, output }: Usage): boolean {
  return input === 0 && cacheWrite === 0 && output === 0;
}
