/**
 * Decides whether working ahead pays, by what it has cost and brought so far.
 *
 * Invariants: nothing is begun once a budget is used up; a higher chance or a larger saving never turns a yes into a
 * no, a higher cost never a no into a yes; with time a verdict learned from rejections is tried again.
 */
import type { OutcomeRecord } from '../storage/outcome-log.ts';
import { tokensOf } from '../storage/outcome-summary.ts';
import { believedAcceptance, type Evidence, fadingMean } from './acceptance-belief.ts';
import type { Spending, SpendingGate } from './speculation-ports.ts';
import { classOf, type SuggestionClass } from './suggestion-class.ts';

export interface GovernorOptions {
  /** What was recorded before, today's included. */
  readonly past: readonly OutcomeRecord[];
  /** The most to spend in this process; absent: no such limit. */
  readonly sessionTokens?: number;
  /** What this process has spent before, under another governor. */
  readonly spent?: number;
  readonly dailyTokens: number;
  /** `free` for a model on the user's own machine. */
  readonly price: 'metered' | 'free';
  /** False while the model has something else to do: one that takes a request at a time would be kept from it. */
  readonly isIdle?: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** What is weighed when a suggestion is to be worked out. */
export interface Stakes {
  readonly chance: number;
  readonly savedSeconds: number;
  /** In prices of one uncached token of input. */
  readonly cost: number;
}

/**
 * What a second of the user's time is worth, in the same unit: a hundred an hour against five for a million tokens.
 * Whether speculation pays for a given user is decided by this and what was measured, nothing else.
 */
const secondsWorth = 5000;

export function pays({ chance, savedSeconds, cost }: Stakes): boolean {
  return chance * savedSeconds * secondsWorth > cost;
}

/** Prices relative to a token of input, as providers ask them. */
const weights = { cached: 0.1, written: 0.25, output: 5 } as const;

/** A hint that is mostly wrong is a nuisance even when it costs nothing. */
const leastChance = 0.25;

/** What is believed of a run before there was any. */
const firstGuess = { savedSeconds: 15, cost: 30_000 } as const;

export class CostGovernor implements SpendingGate {
  readonly #options: GovernorOptions;
  readonly #records: OutcomeRecord[];
  #spent: number;

  constructor(options: GovernorOptions) {
    this.#options = options;
    this.#spent = options.spent ?? 0;
    this.#records = [...options.past];
  }

  /** In tokens, by this process. */
  get spent(): number {
    return this.#spent;
  }

  /** Takes in what became of one. */
  note(record: OutcomeRecord): void {
    this.#records.push(record);
    this.#spent += tokensOf(record);
  }

  mayPredict(ahead: number): Spending {
    const { sessionTokens = Number.POSITIVE_INFINITY, dailyTokens, isIdle, price } = this.#options;
    if (isIdle?.() === false) return stay('busy');
    if (this.#spent >= sessionTokens) return stay('session_budget');
    if (this.spentToday() >= dailyTokens) return stay('daily_budget');
    const belief = believedAcceptance(this.#evidence(), this.#now());
    if (belief < leastChance) return stay('seldom_accepted');
    // What is not shown yet is no nuisance; but it is paid for, and is of use only if all before it are accepted.
    return price === 'metered' && belief ** (ahead + 1) < leastChance ? stay('too_far_ahead') : go;
  }

  mayRun(suggestion: string, ahead: number): Spending {
    const isFree = this.#options.price === 'free';
    return isFree || pays(this.stakes(classOf(suggestion), ahead)) ? go : stay('does_not_pay');
  }

  /** What working a suggestion of this kind out, so far ahead, is believed to bring and to cost. */
  stakes(kind: SuggestionClass, ahead: number): Stakes {
    const now = this.#now();
    const ran = this.#records.filter(({ tool_uses, worked_ms }) => tool_uses > 0 || worked_ms > 0);
    const saving = ran.filter(({ outcome }) => outcome === 'accepted');
    return {
      chance:
        believedAcceptance(this.#evidence(kind), now) * believedAcceptance(this.#evidence(), now) ** ahead,
      savedSeconds: fadingMean(
        saving.map((record) => ({ at: timeOf(record), value: record.saved_ms / 1000 })),
        now,
        firstGuess.savedSeconds,
      ),
      cost: fadingMean(
        ran.map((record) => ({ at: timeOf(record), value: costOf(record) })),
        now,
        firstGuess.cost,
      ),
    };
  }

  spentToday(): number {
    const today = dayOf(this.#now());
    return this.#records
      .filter((record) => dayOf(timeOf(record)) === today)
      .reduce((sum, record) => sum + tokensOf(record), 0);
  }

  #evidence(kind?: SuggestionClass): readonly Evidence[] {
    return this.#records
      .filter((record) => kind === undefined || record.class === kind)
      .flatMap((record) => {
        const verdict = verdictOf(record);
        return verdict ? [{ at: timeOf(record), kind: verdict }] : [];
      });
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

/** What a record tells of a user's liking: only what was shown to them, and what they did about it themselves. */
function verdictOf({ outcome, reason, ahead, class: kind }: OutcomeRecord): Evidence['kind'] | undefined {
  if (outcome === 'accepted' || outcome === 'taken') return 'accepted';
  const isRejected = outcome === 'aborted' && (reason === 'typed' || reason === 'dismissed');
  return isRejected && ahead === 0 && kind !== undefined ? 'rejected' : undefined;
}

/** Where nobody says what came from a cache, all of it is taken for computed. */
function costOf(record: OutcomeRecord): number {
  const { input_tokens, cached_tokens = 0, cache_write_tokens, output_tokens } = record;
  const computed = input_tokens - cached_tokens;
  return (
    computed +
    cached_tokens * weights.cached +
    cache_write_tokens * weights.written +
    output_tokens * weights.output
  );
}

function timeOf({ at }: OutcomeRecord): number {
  return Date.parse(at);
}

function dayOf(time: number): string {
  return new Date(time).toDateString();
}

const go: Spending = { kind: 'go' };

function stay(because: string): Spending {
  return { kind: 'stay', because };
}
