/**
 * The token usage of requests.
 *
 * Invariant: the cached part of a sum is known only if it is known for every part.
 */
export interface Usage {
  /** All tokens of the prompt, including cached ones. */
  readonly input: number;
  /** The cached part; undefined if the provider does not report it. */
  readonly cachedInput: number | undefined;
  /** The part that was written to a cache. */
  readonly cacheWrite: number;
  readonly output: number;
}

export const noUsage: Usage = { input: 0, cachedInput: undefined, cacheWrite: 0, output: 0 };

/** Tokens of the prompt that had to be computed; all of them if the provider does not report the cached part. */
export function uncachedInput({ input, cachedInput }: Usage): number {
  return input - (cachedInput ?? 0);
}

/** `noUsage` is neutral: a request without usage says nothing about caching. */
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
