import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetTokens, type PricedModel, priceOf, tokenPrices, unknownPrices } from './token-price.ts';
import type { Usage } from './usage.ts';

const usage: Usage = { input: 20_000, cachedInput: 18_000, cacheWrite: 1_000, output: 100 };

test.each<[PricedModel, number]>([
  [{ provider: 'anthropic', model: 'claude-sonnet-4', address: 'https://api.anthropic.com' }, 4_150],
  [{ provider: 'openai', model: 'gpt-5.1', address: 'https://api.openai.com/v1' }, 3_900],
  [{ provider: 'openai', model: 'gpt-4.1', address: 'https://api.openai.com/v1' }, 6_600],
  [{ provider: 'openai', model: 'gpt-4o', address: 'https://api.openai.com/v1' }, 11_100],
  // The price of its cache is unknown.
  [{ provider: 'openai-compatible', model: 'any', address: 'https://models.example.org/v1' }, 20_100],
  [{ provider: 'vllm', model: 'any', address: 'http://10.0.0.7:8000/v1' }, 20_100],
  [{ provider: 'ollama', model: 'qwen3', address: 'http://127.0.0.1:11434' }, 2_100],
])('cached input counts at its price: %o', (model, counted) => {
  expect(budgetTokens(usage, tokenPrices(model))).toBe(counted);
});

test('where a provider does not say what was cached, all of it counts', () => {
  expect(budgetTokens({ ...usage, cachedInput: undefined, cacheWrite: 0 }, unknownPrices)).toBe(20_100);
});

test('no usage counts below zero or above all it used at the highest price', () => {
  const numbers = fc.record({
    input: fc.nat(1e6),
    cachedInput: fc.option(fc.nat(1e6), { nil: undefined }),
    cacheWrite: fc.nat(1e6),
    output: fc.nat(1e6),
  });
  const prices = tokenPrices({ provider: 'anthropic', model: 'claude', address: 'https://example.org' });
  fc.assert(
    fc.property(numbers, (used) => {
      expect(budgetTokens(used, prices)).toBeGreaterThanOrEqual(0);
      expect(priceOf(used, prices)).toBeLessThanOrEqual(used.input * 1.25 + used.output * 5 + 1e-6);
    }),
  );
});
