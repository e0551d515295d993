/**
 * Decides whether working ahead pays, by what it has cost and brought so far in a workspace.
 *
 * Invariants: nothing is begun once a budget is used up; a higher chance or a larger saving never turns a yes into a
 * no, a higher cost never a no into a yes; whatever was learned, suggestions are tried again within a day and work on
 * them within `idleLimitMs`; each pause is announced once.
 */
import { budgetTokens, priceOf, type TokenPrices, unknownPrices } from '../model/token-price.ts';
import type { Usage } from '../model/usage.ts';
import type { OutcomeRecord } from '../storage/outcome-log.ts';
import { believedAcceptance, fadingMean } from './acceptance-belief.ts';
import type { Spending, SpendingGate } from './engine/speculation-ports.ts';
import { OutcomeHistory, timeOf } from './outcome-history.ts';
import { resumedRecord, usageOf } from './outcome-record.ts';
import { learnedPause, leastAcceptance, type Pause, pauseText } from './pause.ts';
import { classOf, type SuggestionClass, suggestionClasses } from './suggestion-class.ts';

export interface GovernorOptions {
  /** What was recorded before, today's included. */
  readonly past: readonly OutcomeRecord[];
  /** The workspace to learn about, as records name it; absent: what names none. */
  readonly workspace?: string;
  /** The most to spend in this process; absent: no such limit. */
  readonly sessionTokens?: number;
  /** What this process has spent before, under another governor. */
  readonly spent?: number;
  readonly dailyTokens: number;
  /** `free` for a model on the user's own machine. */
  readonly price: 'metered' | 'free';
  /** Absent: cached input counts in full. */
  readonly prices?: TokenPrices;
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

/** A tie goes to the user's time. */
export function pays({ chance, savedSeconds, cost }: Stakes): boolean {
  return chance * savedSeconds * secondsWorth >= cost;
}

/**
 * What is assumed of a run before there was any: four rounds on a conversation that has just begun. It must pay with
 * what is assumed of acceptance, or a new user would never see it work.
 */
const firstGuess = { savedSeconds: 15, cost: 20_000 } as const;

/** After so long without any work, one suggestion is worked out to measure anew. */
export const idleLimitMs: number = 3 * 24 * 60 * 60 * 1000;

export class CostGovernor implements SpendingGate {
  readonly workspace: string | undefined;
  readonly prices: TokenPrices;
  readonly #options: GovernorOptions;
  readonly #records: OutcomeRecord[];
  #spent: number;
  /** Spent by speculations that are not over, and so not recorded. */
  #unrecorded = 0;
  #session: 'within' | 'announced';

  constructor(options: GovernorOptions) {
    const { past, spent = 0, sessionTokens = Number.POSITIVE_INFINITY } = options;
    this.#options = options;
    this.workspace = options.workspace;
    this.prices = options.prices ?? unknownPrices;
    this.#spent = spent;
    this.#records = [...past];
    // One that starts without a budget is no news to the user, who has set it or was told before.
    this.#session = spent >= sessionTokens ? 'announced' : 'within';
  }

  /** By this process, in tokens as budgets count them. */
  get spent(): number {
    return this.#spent + this.#unrecorded;
  }

  /** Counts what a request used, before it is known what becomes of it. */
  spend(usage: Usage): void {
    this.#unrecorded += budgetTokens(usage, this.prices);
  }

  /** Takes in what became of one. */
  note(record: OutcomeRecord): void {
    const counted = this.#counted(record);
    this.#records.push(record);
    this.#spent += counted;
    this.#unrecorded = Math.max(0, this.#unrecorded - counted);
    if (record.reason === 'session_budget') this.#session = 'announced';
  }

  /** What keeps suggestions from being made now, apart from a model that is busy. */
  get pause(): Pause | undefined {
    const { sessionTokens = Number.POSITIVE_INFINITY, dailyTokens } = this.#options;
    if (this.spent >= sessionTokens) return { because: 'session_budget', limit: sessionTokens };
    if (this.spentToday() >= dailyTokens) return { because: 'daily_budget', limit: dailyTokens };
    const history = this.#history();
    return learnedPause(history.decisions, history.evidence(), this.#now());
  }

  mayPredict(ahead: number): Spending {
    const { isIdle, price } = this.#options;
    if (isIdle?.() === false) return stay('busy');
    const { pause } = this;
    if (pause) {
      const notice = this.#isUnannounced(pause) ? { notice: pauseText(pause, this.#now()) } : {};
      return { ...stay(pause.because), ...notice };
    }
    if (ahead === 0) return go;
    const belief = believedAcceptance(this.#history().evidence(), this.#now());
    // What is not shown yet is no nuisance; but it is paid for, and is of use only if all before it are accepted.
    const chance = price === 'metered' ? belief ** (ahead + 1) : belief;
    return chance < leastAcceptance ? stay('too_far_ahead') : go;
  }

  mayRun(suggestion: string, ahead: number): Spending {
    const { pause } = this;
    if (pause && pause.because !== 'seldom_accepted') return stay(pause.because);
    if (this.#options.price === 'free' || pays(this.stakes(classOf(suggestion), ahead))) return go;
    return ahead === 0 && this.#isIdleForLong() ? go : stay('does_not_pay');
  }

  /** What working a suggestion of this kind out, so far ahead, is believed to bring and to cost. */
  stakes(kind: SuggestionClass, ahead: number): Stakes {
    const [now, history] = [this.#now(), this.#history()];
    const runs = history.runs.map(({ record, weight }) => ({ at: timeOf(record), record, weight }));
    const accepted = runs.filter(({ record }) => record.outcome === 'accepted');
    const saved = accepted.map((run) => ({ ...run, value: run.record.saved_ms / 1000 }));
    const costs = runs.map((run) => ({ ...run, value: priceOf(usageOf(run.record), this.prices) }));
    const overall = believedAcceptance(history.evidence(), now);
    return {
      chance: believedAcceptance(history.evidence(kind), now) * overall ** ahead,
      savedSeconds: fadingMean(saved, now, firstGuess.savedSeconds),
      cost: fadingMean(costs, now, firstGuess.cost),
    };
  }

  /**
   * Goes on in spite of what was learned; the record that says so is answered, to be kept with the others. Undefined
   * where nothing learned stands in the way: budgets are not the governor's to lift.
   */
  resume(): OutcomeRecord | undefined {
    const { pause } = this;
    if (pause && pause.because !== 'seldom_accepted') return undefined;
    const isFree = this.#options.price === 'free';
    const isWorthless = !isFree && suggestionClasses.every((kind) => !pays(this.stakes(kind, 0)));
    if (!pause && !isWorthless) return undefined;
    const record = resumedRecord(this.workspace, new Date(this.#now()));
    this.note(record);
    return record;
  }

  spentToday(): number {
    const today = dayOf(this.#now());
    return this.#records
      .filter((record) => dayOf(timeOf(record)) === today)
      .reduce((sum, record) => sum + this.#counted(record), this.#unrecorded);
  }

  #counted(record: OutcomeRecord): number {
    return record.counted_tokens ?? budgetTokens(usageOf(record), this.prices);
  }

  /** Whether the user was not told of it yet: a recorded silence is one that was announced. */
  #isUnannounced(pause: Pause): boolean {
    if (pause.because === 'session_budget') return this.#session === 'within';
    if (pause.because === 'daily_budget') {
      const midnight = new Date(this.#now()).setHours(0, 0, 0, 0);
      return pause.limit > 0 && !this.#history().wasSilent(pause.because, midnight);
    }
    const history = this.#history();
    return !history.wasSilent(pause.because, history.decisions.at(-1)?.at ?? 0);
  }

  #isIdleForLong(): boolean {
    const { idleSince } = this.#history();
    return idleSince === undefined || this.#now() - idleSince >= idleLimitMs;
  }

  #history(): OutcomeHistory {
    return new OutcomeHistory(this.#records, this.workspace, this.#now());
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

function dayOf(time: number): string {
  return new Date(time).toDateString();
}

const go: Spending = { kind: 'go' };

function stay(because: string): Spending & { readonly kind: 'stay' } {
  return { kind: 'stay', because };
}
