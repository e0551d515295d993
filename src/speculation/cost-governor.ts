/**
 * Decides whether speculation is worth its cost, from past costs and savings in a workspace.
 *
 * Invariants: nothing is started once a budget is used up; a higher chance or saving never turns a yes into a no, a
 * higher cost never a no into a yes; whatever was learned, suggestions are tried again within a day and runs within
 * `idleLimitMs`; each pause is announced once.
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
  /** The earlier records, including today's. */
  readonly past: readonly OutcomeRecord[];
  /** The workspace to learn about, as named in records; absent: records without one. */
  readonly workspace?: string;
  /** The budget of this process; absent: unlimited. */
  readonly sessionTokens?: number;
  /** What this process has already spent under another governor. */
  readonly spent?: number;
  readonly dailyTokens: number;
  /** `free` for a model on the user's own machine. */
  readonly price: 'metered' | 'free';
  /** Absent: cached input counts in full. */
  readonly prices?: TokenPrices;
  /** False while the model is busy: a model with one request at a time would be blocked. */
  readonly isIdle?: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The quantities that are weighed before a suggestion is run. */
export interface Stakes {
  readonly chance: number;
  readonly savedSeconds: number;
  /** In prices of one uncached input token. */
  readonly cost: number;
}

/**
 * The value of a second of the user's time, in the same unit: a hundred per hour against five per million tokens.
 * Whether speculation pays for a user depends only on this and on measurements.
 */
const secondsWorth = 5000;

/** A tie counts as yes. */
export function pays({ chance, savedSeconds, cost }: Stakes): boolean {
  return chance * savedSeconds * secondsWorth >= cost;
}

/**
 * The assumption about a run before any was measured: four rounds at the start of a conversation. It must pay with
 * the prior of acceptance, or a new user would never see a run.
 */
const firstGuess = { savedSeconds: 15, cost: 20_000 } as const;

/** After this time without a run, one suggestion is run to measure again. */
export const idleLimitMs: number = 3 * 24 * 60 * 60 * 1000;

export class CostGovernor implements SpendingGate {
  readonly workspace: string | undefined;
  readonly prices: TokenPrices;
  readonly #options: GovernorOptions;
  readonly #records: OutcomeRecord[];
  #spent: number;
  /** Spent by steps that have not ended and are not recorded yet. */
  #unrecorded = 0;
  #session: 'within' | 'announced';

  constructor(options: GovernorOptions) {
    const { past, spent = 0, sessionTokens = Number.POSITIVE_INFINITY } = options;
    this.#options = options;
    this.workspace = options.workspace;
    this.prices = options.prices ?? unknownPrices;
    this.#spent = spent;
    this.#records = [...past];
    // A budget that is used up from the start is not announced: the user set it, or was told before.
    this.#session = spent >= sessionTokens ? 'announced' : 'within';
  }

  /** Spent by this process, in tokens as budgets count them. */
  get spent(): number {
    return this.#spent + this.#unrecorded;
  }

  /** Counts the usage of a request, before the outcome of its step is known. */
  spend(usage: Usage): void {
    this.#unrecorded += budgetTokens(usage, this.prices);
  }

  /** Takes the outcome of a step. */
  note(record: OutcomeRecord): void {
    const counted = this.#counted(record);
    this.#records.push(record);
    this.#spent += counted;
    this.#unrecorded = Math.max(0, this.#unrecorded - counted);
    if (record.reason === 'session_budget') this.#session = 'announced';
  }

  /** The current pause of suggestions, regardless of a busy model. */
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
    // A suggestion that is not shown does not disturb, but it costs tokens and is useful only if all before it are
    // accepted.
    const chance = price === 'metered' ? belief ** (ahead + 1) : belief;
    return chance < leastAcceptance ? stay('too_far_ahead') : go;
  }

  mayRun(suggestion: string, ahead: number): Spending {
    const { pause } = this;
    if (pause && pause.because !== 'seldom_accepted') return stay(pause.because);
    if (this.#options.price === 'free' || pays(this.stakes(classOf(suggestion), ahead))) return go;
    return ahead === 0 && this.#isIdleForLong() ? go : stay('does_not_pay');
  }

  /** The expected saving and cost of running a suggestion of this kind, this far ahead. */
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
   * Ends a learned pause; returns the record of that, to be logged with the others. Undefined if there is no learned
   * pause: budgets cannot be lifted here.
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

  /** Whether the pause was not announced yet: a recorded silence was. */
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
