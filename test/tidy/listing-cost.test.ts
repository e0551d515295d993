import { expect, test } from 'vitest';
import { listingCost } from '../../scripts/docs/listing-cost.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import { toolsetOf } from '../../src/tools/toolset.ts';

test('the core toolset costs less than half of the full one', () => {
  const full = listingCost(toolsetOf('full', catalogue).listed);
  const core = listingCost(toolsetOf('core', catalogue).listed);
  expect(core.tokens * 2).toBeLessThan(full.tokens);
});

test('the definitions of the core set take fewer than 2500 tokens', () => {
  expect(listingCost(toolsetOf('core', catalogue).listed).tokens).toBeLessThan(2500);
});

test('an empty list costs its brackets', () => {
  expect(listingCost([])).toEqual({ tools: 0, bytes: 12, tokens: 3 });
});
