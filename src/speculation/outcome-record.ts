/** The record of a step's outcome, without any text. */
import { budgetTokens, type TokenPrices } from '../model/token-price.ts';
import type { Usage } from '../model/usage.ts';
import type { OutcomeRecord } from '../storage/outcome-log.ts';
import type { SpeculationOutcome } from './engine/speculation-state.ts';
import { classOf } from './suggestion-class.ts';

export interface RecordContext {
  readonly at: Date;
  /** A hash of the workspace root. */
  readonly workspace: string | undefined;
  readonly prices: TokenPrices;
}

export function recordOf(outcome: SpeculationOutcome, context: RecordContext): OutcomeRecord {
  const { end, suggestion, ahead, boundary, unworked, toolUses, usage, workedMs, savedMs } = outcome;
  const { at, workspace, prices } = context;
  const reason = end.kind === 'aborted' ? end.reason : end.kind === 'silent' ? end.because : undefined;
  return {
    at: at.toISOString(),
    outcome: end.kind,
    ...(workspace !== undefined && { workspace }),
    ...(reason !== undefined && { reason }),
    ...(suggestion !== undefined && { class: classOf(suggestion) }),
    ahead,
    ...(boundary && { boundary: boundary.kind }),
    ...(unworked !== undefined && { unworked }),
    tool_uses: toolUses,
    input_tokens: usage.input,
    ...(usage.cachedInput !== undefined && { cached_tokens: usage.cachedInput }),
    cache_write_tokens: usage.cacheWrite,
    output_tokens: usage.output,
    counted_tokens: budgetTokens(usage, prices),
    worked_ms: Math.round(workedMs),
    saved_ms: Math.round(savedMs),
  };
}

/** The user ended a pause. */
export function resumedRecord(workspace: string | undefined, at: Date): OutcomeRecord {
  return {
    at: at.toISOString(),
    outcome: 'resumed',
    ...(workspace !== undefined && { workspace }),
    ahead: 0,
    tool_uses: 0,
    input_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 0,
    worked_ms: 0,
    saved_ms: 0,
  };
}

/** If a record has no cached tokens, its provider did not report them. */
export function usageOf(record: OutcomeRecord): Usage {
  const { input_tokens, cached_tokens, cache_write_tokens, output_tokens } = record;
  return {
    input: input_tokens,
    cachedInput: cached_tokens,
    cacheWrite: cache_write_tokens,
    output: output_tokens,
  };
}
