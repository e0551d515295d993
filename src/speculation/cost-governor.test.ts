import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { budgetTokens, unknownPrices } from '../model/token-price.ts';
import type { OutcomeRecord } from '../storage/outcome-log.ts';
import { believedAcceptance, type Evidence, fadingMean } from './acceptance-belief.ts';
import { CostGovernor, idleLimitMs, pays } from './cost-governor.ts';
import { usageOf } from './outcome-record.ts';
import { suggestionClasses } from './suggestion-class.ts';

const day = 24 * 60 * 60 * 1000;
const today = Date.UTC(2026, 5, 15, 12);

const evidence = fc.array(
  fc.record({
    at: fc.integer({ min: today - 400 * day, max: today }),
    kind: fc.constantFrom('accepted', 'rejected'),
  }),
  { maxLength: 60 },
);

describe('belief', () => {
  test('lies strictly between 0 and 1', () => {
    fc.assert(
      fc.property(evidence, (seen) => {
        const belief = believedAcceptance(seen, today);
        expect(belief).toBeGreaterThan(0);
        expect(belief).toBeLessThan(1);
      }),
    );
  });

  test('rises with an acceptance and falls with a rejection', () => {
    fc.assert(
      fc.property(evidence, fc.integer({ min: today - 30 * day, max: today }), (seen, at) => {
        const belief = believedAcceptance(seen, today);
        const more = (kind: Evidence['kind']): number => believedAcceptance([...seen, { at, kind }], today);
        expect(more('accepted')).toBeGreaterThan(belief);
        expect(more('rejected')).toBeLessThan(belief);
      }),
    );
  });

  test('depends on when things happened and not on the order they are told in', () => {
    fc.assert(
      fc.property(
        evidence.chain((seen) =>
          fc.tuple(fc.constant(seen), fc.shuffledSubarray(seen, { minLength: seen.length })),
        ),
        ([seen, shuffled]) => {
          expect(believedAcceptance(shuffled, today)).toBeCloseTo(believedAcceptance(seen, today), 9);
        },
      ),
    );
  });

  test('returns to where it began as evidence fades', () => {
    fc.assert(
      fc.property(evidence, fc.integer({ min: 1, max: 1000 }), (seen, days) => {
        const start = believedAcceptance([], today);
        const distance = (now: number): number => Math.abs(believedAcceptance(seen, now) - start);
        expect(distance(today + days * day)).toBeLessThanOrEqual(distance(today) + 1e-12);
        expect(distance(today + 4000 * day)).toBeLessThan(1e-6);
      }),
    );
  });

  test('a mean lies among its values and the first guess', () => {
    const values = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: today }),
        value: fc.double({ min: 0, max: 1e6, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1e6, noNaN: true }), (seen, guess) => {
        const all = [guess, ...seen.map(({ value }) => value)];
        const mean = fadingMean(seen, today, guess);
        expect(mean).toBeGreaterThanOrEqual(Math.min(...all) - 1e-6);
        expect(mean).toBeLessThanOrEqual(Math.max(...all) + 1e-6);
      }),
    );
  });
});

const stakes = fc.record({
  chance: fc.double({ min: 0, max: 1, noNaN: true }),
  savedSeconds: fc.double({ min: 0, max: 600, noNaN: true }),
  cost: fc.double({ min: 0, max: 1e7, noNaN: true }),
});

test('a better chance or a larger saving never turns a yes into a no, a higher cost never a no into a yes', () => {
  const more = fc.double({ min: 0, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(stakes, more, more, more, (given, chance, saving, cost) => {
      if (pays(given)) {
        expect(pays({ ...given, chance: Math.min(1, given.chance + chance) })).toBe(true);
        expect(pays({ ...given, savedSeconds: given.savedSeconds + saving })).toBe(true);
      } else {
        expect(pays({ ...given, cost: given.cost + cost })).toBe(false);
      }
    }),
  );
});

const record = fc.record({
  at: fc.integer({ min: today - 3 * day, max: today }).map((time) => new Date(time).toISOString()),
  outcome: fc.constantFrom('accepted', 'taken', 'aborted', 'silent'),
  reason: fc.constantFrom('typed', 'dismissed', 'conflict', 'superseded'),
  class: fc.constantFrom(...suggestionClasses),
  ahead: fc.integer({ min: 0, max: 2 }),
  tool_uses: fc.integer({ min: 0, max: 20 }),
  input_tokens: fc.integer({ min: 0, max: 200_000 }),
  cache_write_tokens: fc.integer({ min: 0, max: 10_000 }),
  output_tokens: fc.integer({ min: 0, max: 10_000 }),
  worked_ms: fc.integer({ min: 0, max: 60_000 }),
  saved_ms: fc.integer({ min: 0, max: 60_000 }),
});

function governor(over: Partial<ConstructorParameters<typeof CostGovernor>[0]> = {}): CostGovernor {
  return new CostGovernor({
    past: [],
    dailyTokens: Number.POSITIVE_INFINITY,
    price: 'metered',
    now: () => today,
    ...over,
  });
}

describe('a budget', () => {
  test('is exceeded by one speculation at most', () => {
    fc.assert(
      fc.property(
        fc.array(record),
        fc.integer({ min: 0, max: 500_000 }),
        fc.integer({ min: 0, max: 500_000 }),
        (coming, dailyTokens, sessionTokens) => {
          const watched = governor({ dailyTokens, sessionTokens });
          let spent = 0;
          for (const each of coming) {
            const next = { ...each, at: new Date(today).toISOString() };
            if (watched.mayPredict(0).kind === 'stay') break;
            expect(spent).toBeLessThan(Math.min(dailyTokens, sessionTokens));
            spent += budgetTokens(usageOf(next), unknownPrices);
            watched.note(next);
          }
        },
      ),
    );
  });

  test('of a process is not renewed with a new governor', () => {
    const first = governor({ sessionTokens: 1000 });
    first.note({ ...quiet, input_tokens: 600 });
    const second = governor({ sessionTokens: 1000, spent: first.spent });
    expect(second.mayPredict(0)).toEqual({ kind: 'go' });
    second.note({ ...quiet, input_tokens: 600 });
    expect(second.mayPredict(0)).toMatchObject({ kind: 'stay', because: 'session_budget' });
  });

  test('of a day counts what other processes spent today, and nothing of yesterday', () => {
    const spent = (at: number): OutcomeRecord => ({
      ...quiet,
      at: new Date(at).toISOString(),
      input_tokens: 900,
    });
    expect(governor({ past: [spent(today)], dailyTokens: 900 }).mayPredict(0)).toMatchObject({
      kind: 'stay',
      because: 'daily_budget',
    });
    expect(governor({ past: [spent(today - day)], dailyTokens: 900 }).mayPredict(0)).toEqual({ kind: 'go' });
  });
});

const quiet: OutcomeRecord = {
  at: new Date(today).toISOString(),
  outcome: 'silent',
  ahead: 0,
  tool_uses: 0,
  input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  worked_ms: 0,
  saved_ms: 0,
};

const rejected: OutcomeRecord = { ...quiet, outcome: 'aborted', reason: 'typed', class: 'change' };

test('what is never accepted is no longer guessed, and is tried again in time', () => {
  const past = Array.from({ length: 12 }, () => rejected);
  expect(governor({ past }).mayPredict(0)).toMatchObject({ kind: 'stay', because: 'seldom_accepted' });
  expect(governor({ past, now: () => today + 60 * day }).mayPredict(0)).toEqual({ kind: 'go' });
});

test('what ended for no reason of the user teaches nothing about them', () => {
  const past = ['superseded', 'conflict', 'failed', 'predecessor'].flatMap((reason) =>
    Array.from({ length: 12 }, () => ({ ...rejected, reason })),
  );
  expect(governor({ past }).stakes('change', 0).chance).toBe(governor().stakes('change', 0).chance);
});

test('one class is learned apart from another', () => {
  const watched = governor({ past: Array.from({ length: 12 }, () => rejected) });
  expect(watched.stakes('change', 0).chance).toBeLessThan(watched.stakes('check', 0).chance);
});

test('costly work that saves little is shown and not done, unless the model is free', () => {
  const costly: OutcomeRecord = {
    ...quiet,
    outcome: 'accepted',
    class: 'change',
    tool_uses: 3,
    input_tokens: 2_000_000,
    worked_ms: 900,
    saved_ms: 900,
  };
  const past = Array.from({ length: 8 }, () => costly);
  expect(governor({ past }).mayRun('fix it now', 0)).toEqual({ kind: 'stay', because: 'does_not_pay' });
  expect(governor({ past, price: 'free' }).mayRun('fix it now', 0)).toEqual({ kind: 'go' });
});

test('a model that is busy is left alone', () => {
  expect(governor({ isIdle: () => false }).mayPredict(0)).toEqual({ kind: 'stay', because: 'busy' });
});

test('what does not pay so far ahead does not pay further ahead', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 30 }), fc.integer({ min: 0, max: 4 }), (past, ahead) => {
      const watched = governor({ past });
      if (watched.mayPredict(ahead).kind === 'stay') expect(watched.mayPredict(ahead + 1).kind).toBe('stay');
      if (watched.mayRun('fix it', ahead).kind === 'stay')
        expect(watched.mayRun('fix it', ahead + 1).kind).toBe('stay');
    }),
  );
});

test('a second step is guessed once the first kind has been accepted', () => {
  expect(governor().mayPredict(1)).toEqual({ kind: 'stay', because: 'too_far_ahead' });
  expect(governor({ past: [{ ...rejected, outcome: 'accepted' }] }).mayPredict(1)).toEqual({ kind: 'go' });
  expect(governor({ price: 'free' }).mayPredict(3)).toEqual({ kind: 'go' });
});

const here = 'here';
const hour = 60 * 60 * 1000;

/** Rejections one minute apart, the last one now. */
function rejections(count: number, over: Partial<OutcomeRecord> = {}): readonly OutcomeRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    ...rejected,
    reason: 'dismissed',
    workspace: here,
    at: new Date(today - (count - 1 - index) * 60_000).toISOString(),
    ...over,
  }));
}

describe('a new user of a metered provider', () => {
  test.each(['run the tests', 'fix it now', 'commit this', 'why is that?', 'yes', 'hm'])(
    'has %j worked out',
    (suggestion) => {
      const fresh = governor({ workspace: here, sessionTokens: 1_000_000, dailyTokens: 2_000_000 });
      expect(fresh.mayPredict(0)).toEqual({ kind: 'go' });
      expect(fresh.mayRun(suggestion, 0)).toEqual({ kind: 'go' });
    },
  );

  test('still has it after a first rejection: nothing rests on a tie', () => {
    const past = rejections(1);
    expect(governor({ workspace: here, past }).mayRun('fix it now', 0)).toEqual({ kind: 'go' });
  });
});

describe('cached input', () => {
  const anthropic = { cachedInput: 0.1, cacheWrite: 1.25, output: 5 };
  const cached = { ...quiet, input_tokens: 100_000, cached_tokens: 98_000, output_tokens: 100 };

  test('counts at its price against a budget', () => {
    const watched = governor({ sessionTokens: 20_000, dailyTokens: 20_000, prices: anthropic });
    watched.note(cached);
    expect(watched.spent).toBe(11_900);
    expect(watched.spentToday()).toBe(11_900);
    expect(watched.mayPredict(0)).toEqual({ kind: 'go' });
    watched.note(cached);
    expect(watched.mayPredict(0)).toMatchObject({ because: 'session_budget' });
  });

  test('counts in full where the provider has no price for it', () => {
    const watched = governor({ sessionTokens: 100_000 });
    watched.note(cached);
    expect(watched.mayPredict(0)).toMatchObject({ because: 'session_budget' });
  });

  test('counts at the price it had when it was recorded', () => {
    const past = [{ ...cached, counted_tokens: 2_100 }];
    expect(governor({ past }).spentToday()).toBe(2_100);
  });
});

test('what is under way counts against a budget before it is recorded, and once', () => {
  const watched = governor({ sessionTokens: 1_000 });
  const used = { input: 700, cachedInput: undefined, cacheWrite: 0, output: 0 };
  watched.spend(used);
  expect(watched.mayPredict(1).kind).toBe('stay');
  expect(watched.mayRun('fix it', 0)).toEqual({ kind: 'go' });
  watched.spend(used);
  expect(watched.mayRun('fix it', 0)).toMatchObject({ because: 'session_budget' });
  watched.note({ ...quiet, input_tokens: 1_400 });
  expect(watched.spent).toBe(1_400);
});

describe('rejections', () => {
  test('in one workspace say nothing about another', () => {
    const past = rejections(30);
    expect(governor({ workspace: here, past }).mayPredict(0).kind).toBe('stay');
    const elsewhere = governor({ workspace: 'there', past });
    expect(elsewhere.mayPredict(0)).toEqual({ kind: 'go' });
    expect(elsewhere.stakes('change', 0)).toEqual(governor({ workspace: 'there' }).stakes('change', 0));
  });

  test('four of them silence nothing', () => {
    expect(governor({ workspace: here, past: rejections(4) }).mayPredict(0)).toEqual({ kind: 'go' });
  });

  test('recorded before workspaces were told apart count little', () => {
    const past = rejections(40, { workspace: undefined });
    const watched = governor({ workspace: here, past });
    expect(watched.mayPredict(0)).toEqual({ kind: 'go' });
    expect(watched.stakes('change', 0).chance).toBeLessThan(governor().stakes('change', 0).chance);
  });

  test('lead to a pause of an hour, and to longer ones when what is tried after it is rejected too', () => {
    const past = [...rejections(6)];
    const at = (now: number): CostGovernor => governor({ workspace: here, past, now: () => now });
    expect(at(today + hour - 1).mayPredict(0)).toMatchObject({ because: 'seldom_accepted' });
    expect(at(today + hour).mayPredict(0)).toEqual({ kind: 'go' });
    past.push({ ...rejected, workspace: here, at: new Date(today + hour).toISOString() });
    expect(at(today + 3 * hour - 1).mayPredict(0)).toMatchObject({ because: 'seldom_accepted' });
    expect(at(today + 3 * hour).mayPredict(0)).toEqual({ kind: 'go' });
  });

  test('however many, are outweighed by what is accepted since', () => {
    const old = rejections(200, { at: new Date(today - 2 * hour).toISOString() });
    const liked = rejections(6, { outcome: 'accepted', reason: undefined });
    expect(governor({ workspace: here, past: [...old, ...liked] }).mayPredict(0)).toEqual({ kind: 'go' });
  });
});

/** The record of a speculation that was not started. */
function silence(because: string, at: number): OutcomeRecord {
  return { ...quiet, workspace: here, reason: because, at: new Date(at).toISOString() };
}

describe('a pause is announced', () => {
  const noticed = (watched: CostGovernor): string | undefined => {
    const spending = watched.mayPredict(0);
    return spending.kind === 'stay' ? spending.notice : undefined;
  };

  test('once, with the way back', () => {
    const watched = governor({ workspace: here, past: rejections(6) });
    expect(noticed(watched)).toMatch(/none of the last 6 suggestions was accepted.*\/speculation on/);
    watched.note(silence('seldom_accepted', today));
    expect(watched.mayPredict(0)).toEqual({ kind: 'stay', because: 'seldom_accepted' });
  });

  test('once for several processes, and again when another one begins', () => {
    const past = [...rejections(6), silence('seldom_accepted', today + 1)];
    let now = today + 2;
    const watched = governor({ workspace: here, past, now: () => now });
    expect(noticed(watched)).toBeUndefined();
    now = today + hour;
    watched.note({ ...rejected, workspace: here, at: new Date(now).toISOString() });
    expect(noticed(watched)).toMatch(/none of the last 7/);
  });

  test('once for a budget, with the setting that changes it', () => {
    const watched = governor({ workspace: here, sessionTokens: 100 });
    watched.note({ ...quiet, input_tokens: 100 });
    expect(noticed(watched)).toContain('speculation.sessionTokens');
    watched.note(silence('session_budget', today));
    expect(noticed(watched)).toBeUndefined();
    const daily = governor({ workspace: here, dailyTokens: 100, past: [{ ...quiet, input_tokens: 100 }] });
    expect(noticed(daily)).toContain('speculation.dailyTokens');
    daily.note(silence('daily_budget', today));
    expect(noticed(daily)).toBeUndefined();
  });

  test('not where the user has set the budget to nothing', () => {
    expect(noticed(governor({ workspace: here, sessionTokens: 0 }))).toBeUndefined();
    expect(noticed(governor({ workspace: here, dailyTokens: 0 }))).toBeUndefined();
  });
});

describe('a user who resumes', () => {
  test('gets suggestions at once, here and in the next process', () => {
    const past = rejections(12);
    const watched = governor({ workspace: here, past });
    const resumed = watched.resume();
    expect(watched.mayPredict(0)).toEqual({ kind: 'go' });
    const next = governor({ workspace: here, past: [...past, ...(resumed ? [resumed] : [])] });
    expect(next.mayPredict(0)).toEqual({ kind: 'go' });
  });

  test('is not given more than the budget', () => {
    const watched = governor({ workspace: here, past: rejections(12), sessionTokens: 10 });
    watched.note({ ...quiet, input_tokens: 10 });
    expect(watched.resume()).toBeUndefined();
    expect(watched.mayPredict(0)).toMatchObject({ because: 'session_budget' });
  });

  test('loses nothing that was learned where nothing is paused', () => {
    const past = rejections(3, { outcome: 'accepted', reason: undefined });
    const watched = governor({ workspace: here, past });
    const before = watched.stakes('change', 0);
    expect(watched.resume()).toBeUndefined();
    expect(watched.stakes('change', 0)).toEqual(before);
  });
});

describe('from any history', () => {
  const anyRecord = fc
    .tuple(record, fc.constantFrom(here, 'there', undefined), fc.integer({ min: -40 * day, max: 0 }))
    .map(([each, workspace, age]) => ({
      ...each,
      workspace,
      at: new Date(today + age).toISOString(),
      input_tokens: each.input_tokens * 50,
    }));
  // A clock that was wrong once.
  const future = fc
    .integer({ min: 30 * day, max: 4000 * day })
    .map((later) => ({ ...rejected, workspace: here, at: new Date(today + later).toISOString() }));
  const history = fc.array(fc.oneof({ weight: 8, arbitrary: anyRecord }, { weight: 1, arbitrary: future }), {
    maxLength: 120,
  });

  test('suggestions are tried again within a day, and work on them within the limit', () => {
    fc.assert(
      fc.property(history, fc.constantFrom('metered', 'free'), (past, price) => {
        const later = (ms: number): CostGovernor =>
          governor({ workspace: here, past, price, now: () => today + ms });
        expect(later(day).mayPredict(0)).toEqual({ kind: 'go' });
        expect(later(idleLimitMs).mayRun('fix it now', 0)).toEqual({ kind: 'go' });
      }),
    );
  });

  test('a budget that is used up lets nothing begin, whatever was learned', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 1e6 }), (past, sessionTokens) => {
        const watched = governor({ workspace: here, past, sessionTokens });
        watched.spend({ input: sessionTokens, cachedInput: undefined, cacheWrite: 0, output: 0 });
        watched.resume();
        expect(watched.mayPredict(0)).toMatchObject({ because: 'session_budget' });
        expect(watched.mayRun('fix it now', 0)).toMatchObject({ because: 'session_budget' });
      }),
    );
  });

  test('each pause is announced exactly once while time goes on', () => {
    fc.assert(
      fc.property(history, fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 }), (past, minutes) => {
        let now = today;
        const watched = governor({ workspace: here, past, now: () => now });
        const reported: number[] = [];
        for (const wait of minutes) {
          now += wait * 60_000;
          const spending = watched.mayPredict(0);
          const until = watched.pause?.because === 'seldom_accepted' ? watched.pause.until : undefined;
          if (spending.kind === 'go')
            watched.note({ ...rejected, workspace: here, at: new Date(now).toISOString() });
          else watched.note(silence(spending.because, now));
          if (spending.kind === 'stay' && spending.notice) reported.push(until ?? Number.NaN);
          if (spending.kind === 'stay') expect(reported).toContain(until);
        }
        expect(new Set(reported).size).toBe(reported.length);
      }),
    );
  });
});
