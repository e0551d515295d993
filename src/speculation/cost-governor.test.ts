import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutcomeRecord } from '../storage/outcome-log.ts';
import { tokensOf } from '../storage/outcome-summary.ts';
import { believedAcceptance, type Evidence, fadingMean } from './acceptance-belief.ts';
import { CostGovernor, pays } from './cost-governor.ts';
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
            spent += tokensOf(next);
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
    expect(second.mayPredict(0)).toEqual({ kind: 'stay', because: 'session_budget' });
  });

  test('of a day counts what other processes spent today, and nothing of yesterday', () => {
    const spent = (at: number): OutcomeRecord => ({
      ...quiet,
      at: new Date(at).toISOString(),
      input_tokens: 900,
    });
    expect(governor({ past: [spent(today)], dailyTokens: 900 }).mayPredict(0)).toEqual({
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
  expect(governor({ past }).mayPredict(0)).toEqual({ kind: 'stay', because: 'seldom_accepted' });
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
