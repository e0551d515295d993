/**
 * What speculation brought and what it cost, summed up.
 *
 * Invariant: whatever was spent is counted, whether it came to use or not; a rate of nothing is absent, not zero.
 */
import type { OutcomeRecord } from './outcome-log.ts';

export interface OutcomeSummary {
  /** Suggestions that were shown. */
  readonly shown: number;
  readonly accepted: number;
  /** Taken as words, with nothing done about them. */
  readonly taken: number;
  readonly aborted: number;
  /** Times when nothing was suggested. */
  readonly silent: number;
  /** Accepted and taken, of those shown. */
  readonly acceptanceRate: number | undefined;
  readonly savedMs: number;
  readonly tokens: {
    readonly spent: number;
    /** Those of what was accepted: the turns did not need them again. */
    readonly saved: number;
    /** How many of those spent came from a provider's cache, where that was told. */
    readonly cached: number;
  };
  /** How often each reason ended one, most often first. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
  readonly boundaries: readonly (readonly [boundary: string, count: number])[];
  /** Why suggestions were shown and not worked on. */
  readonly unworked: readonly (readonly [reason: string, count: number])[];
}

export function summariseOutcomes(records: readonly OutcomeRecord[]): OutcomeSummary {
  const count = (outcome: OutcomeRecord['outcome']): number =>
    records.filter((record) => record.outcome === outcome).length;
  const isShown = (record: OutcomeRecord): boolean =>
    record.outcome !== 'silent' && record.class !== undefined;
  // One that lay behind another was never shown when it ended.
  const shown = records.filter((record) => isShown(record) && record.ahead === 0).length;
  const [accepted, taken] = [count('accepted'), count('taken')];
  return {
    shown,
    accepted,
    taken,
    aborted: count('aborted'),
    silent: count('silent'),
    acceptanceRate: shown === 0 ? undefined : (accepted + taken) / shown,
    savedMs: total(records, ({ saved_ms }) => saved_ms),
    tokens: {
      spent: total(records, tokensOf),
      saved: total(
        records.filter(({ outcome }) => outcome === 'accepted'),
        tokensOf,
      ),
      cached: total(records, ({ cached_tokens }) => cached_tokens ?? 0),
    },
    reasons: tally(records.flatMap(({ reason }) => reason ?? [])),
    boundaries: tally(records.flatMap(({ boundary }) => boundary ?? [])),
    unworked: tally(records.flatMap(({ unworked }) => unworked ?? [])),
  };
}

function tokensOf({ input_tokens, output_tokens }: OutcomeRecord): number {
  return input_tokens + output_tokens;
}

function total(records: readonly OutcomeRecord[], of: (record: OutcomeRecord) => number): number {
  return records.reduce((sum, record) => sum + of(record), 0);
}

function tally(words: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
}
