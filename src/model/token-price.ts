/**
 * The price of a token relative to uncached input, by provider and model, as data.
 *
 * Invariant: if the price of cached input is unknown, it counts in full; a count is never below zero.
 */
import { isLoopback } from './model-endpoint.ts';
import type { ProviderName } from './provider.ts';
import type { Usage } from './usage.ts';

export interface TokenPrices {
  /** Of a token read from the cache. */
  readonly cachedInput: number;
  /** Of a token written to the cache. */
  readonly cacheWrite: number;
  readonly output: number;
}

export interface PricedModel {
  readonly provider: ProviderName;
  readonly model: string;
  /** A model on this machine does not recompute cached input and costs nothing. */
  readonly address: string;
}

export function tokenPrices({ provider, model, address }: PricedModel): TokenPrices {
  if (isLoopback(address)) return localPrices;
  return table.find((row) => row.provider === provider && row.models.test(model))?.prices ?? unknownPrices;
}

/** The tokens of a request as a budget counts them: cached input at its price, all others in full. */
export function budgetTokens(usage: Usage, prices: TokenPrices): number {
  return Math.ceil(inputPrice(usage, prices) + usage.output);
}

/** The price of a request, in tokens of uncached input. */
export function priceOf(usage: Usage, prices: TokenPrices): number {
  return inputPrice(usage, prices) + usage.output * prices.output;
}

export const unknownPrices: TokenPrices = { cachedInput: 1, cacheWrite: 1, output: 5 };

const localPrices: TokenPrices = { cachedInput: 0, cacheWrite: 1, output: 1 };

/** From the providers' price lists; the first matching row counts. */
const table: readonly {
  readonly provider: ProviderName;
  readonly models: RegExp;
  readonly prices: TokenPrices;
}[] = [
  { provider: 'anthropic', models: /./, prices: { cachedInput: 0.1, cacheWrite: 1.25, output: 5 } },
  { provider: 'openai', models: /^gpt-5/, prices: { cachedInput: 0.1, cacheWrite: 1, output: 8 } },
  {
    provider: 'openai',
    models: /^(gpt-4\.1|o3|o4|codex)/,
    prices: { cachedInput: 0.25, cacheWrite: 1, output: 4 },
  },
  { provider: 'openai', models: /./, prices: { cachedInput: 0.5, cacheWrite: 1, output: 4 } },
];

function inputPrice({ input, cachedInput = 0, cacheWrite }: Usage, prices: TokenPrices): number {
  const cached = Math.min(input, cachedInput);
  const written = Math.min(input - cached, cacheWrite);
  return input - cached - written + cached * prices.cachedInput + written * prices.cacheWrite;
}
