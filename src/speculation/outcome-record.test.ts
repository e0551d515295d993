import { expect, test } from 'vitest';
import { unknownPrices } from '../model/token-price.ts';
import type { SpeculationOutcome } from './engine/speculation-state.ts';
import { recordOf } from './outcome-record.ts';

test('a record holds no word of what was suggested or where it stopped', () => {
  const outcome: SpeculationOutcome = {
    end: { kind: 'aborted', reason: 'typed' },
    suggestion: 'rename the secret project to Zanzibar',
    ahead: 0,
    boundary: { kind: 'bash', tool: 'Bash', detail: 'deploy zanzibar' },
    toolUses: 2,
    usage: { input: 100, cachedInput: undefined, cacheWrite: 0, output: 7 },
    workedMs: 12.6,
    savedMs: 0,
  };
  const record = recordOf(outcome, { at: new Date(0), workspace: '5f2c', prices: unknownPrices });
  expect(record).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    outcome: 'aborted',
    workspace: '5f2c',
    reason: 'typed',
    class: 'change',
    ahead: 0,
    boundary: 'bash',
    tool_uses: 2,
    input_tokens: 100,
    cache_write_tokens: 0,
    output_tokens: 7,
    counted_tokens: 107,
    worked_ms: 13,
    saved_ms: 0,
  });
  expect(JSON.stringify(record)).not.toMatch(/zanzibar|secret/i);
});
