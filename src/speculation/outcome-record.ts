/** What became of a speculation, as it is kept: everything but the words. */
import type { OutcomeRecord } from '../storage/outcome-log.ts';
import type { SpeculationOutcome } from './speculation-state.ts';
import { classOf } from './suggestion-class.ts';

export function recordOf(outcome: SpeculationOutcome, at: Date): OutcomeRecord {
  const { end, suggestion, ahead, boundary, toolUses, usage, workedMs, savedMs } = outcome;
  const reason = end.kind === 'aborted' ? end.reason : end.kind === 'silent' ? end.because : undefined;
  return {
    at: at.toISOString(),
    outcome: end.kind,
    ...(reason !== undefined && { reason }),
    ...(suggestion !== undefined && { class: classOf(suggestion) }),
    ahead,
    ...(boundary && { boundary: boundary.kind }),
    tool_uses: toolUses,
    input_tokens: usage.input,
    ...(usage.cachedInput !== undefined && { cached_tokens: usage.cachedInput }),
    cache_write_tokens: usage.cacheWrite,
    output_tokens: usage.output,
    worked_ms: Math.round(workedMs),
    saved_ms: Math.round(savedMs),
  };
}
