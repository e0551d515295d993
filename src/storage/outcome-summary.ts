/**
 * A summary of the savings and costs of speculation.
 *
 * Invariant: all costs are counted, whether the work was used or not; a rate of nothing is absent, not zero.
 */
import type { OutcomeRecord } from './outcome-log.ts';

export interface OutcomeSummary {
  /** Suggestions that were shown. */
  readonly shown: number;
  readonly accepted: number;
  /** Taken as text, without any work done for them. */
  readonly taken: number;
  readonly aborted: number;
  /** Times when nothing was suggested. */
  readonly silent: number;
  /** Accepted and taken suggestions as a share of the shown ones. */
  readonly acceptanceRate: number | undefined;
  readonly savedMs: number;
  readonly tokens: {
    readonly spent: number;
    /** Tokens of accepted work, which the turns did not need again. */
    readonly saved: number;
    /** Tokens that came from a provider's cache, if reported. */
    readonly cached: number;
  };
  /** How often each reason ended a speculation, most frequent first. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
  readonly boundaries: readonly (readonly [boundary: string, count: number])[];
  /** Why suggestions were shown without running ahead. */
  readonly unworked: readonly (readonly [reason: string, count: number])[];
}

export function summariseOutcomes(records: readonly OutcomeRecord[]): OutcomeSummary {
  const count = (outcome: OutcomeRecord['outcome']): number =>
    records.filter((record) => record.outcome === outcome).length;
  const isShown = (record: OutcomeRecord): boolean =>
    record.outcome !== 'silent' && record.class !== undefined;
  // A suggestion behind another one was never shown.
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
