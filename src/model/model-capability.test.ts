import { expect, test } from 'vitest';
import { capabilityOf } from './model-capability.ts';

test.each([
  ['claude-3-5-haiku-20241022', 'none', 'settable'],
  ['claude-3-7-sonnet-20250219', 'budget', 'settable'],
  ['claude-sonnet-4-20250514', 'budget', 'settable'],
  ['claude-opus-4-1-20250805', 'budget', 'settable'],
  ['claude-sonnet-4-5', 'budget', 'settable'],
  ['claude-haiku-4-5-20251001', 'budget', 'settable'],
  ['claude-opus-4-6', 'adaptive', 'settable'],
  ['claude-sonnet-4-6', 'adaptive', 'settable'],
  ['claude-opus-4-7', 'adaptive', 'fixed'],
  ['claude-opus-5', 'adaptive', 'fixed'],
  ['claude-not-yet-known', 'adaptive', 'fixed'],
] as const)('%s thinks by %s and has its sampling %s', (model, thinking, sampling) => {
  expect(capabilityOf('anthropic', model)).toMatchObject({ thinking, sampling });
});

test.each([
  ['gpt-4.1', 'none', 'settable'],
  ['gpt-5.2', 'effort', 'fixed'],
  ['o3', 'effort', 'fixed'],
] as const)('%s thinks by %s and has its sampling %s', (model, thinking, sampling) => {
  expect(capabilityOf('openai', model)).toMatchObject({ thinking, sampling });
});
