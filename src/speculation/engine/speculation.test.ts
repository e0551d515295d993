/** The engine alone, on branches that are lists of inputs. */
import { describe, expect, test } from 'vitest';
import { AcceptedEarly, type Boundary } from './boundary.ts';
import { createSpeculation, type SpeculationOptions } from './speculation.ts';
import type { Landing, Run, SpeculationPorts } from './speculation-ports.ts';
import type { SpeculationOutcome } from './speculation-state.ts';

type Branch = readonly string[];

const calm = new AbortController().signal;
const verdict = {
  files: 0,
  errorsIntroduced: 0,
  errorsResolved: 0,
  proof: 'unjudged',
  commands: [],
} as const;
const usage = { input: 10, cachedInput: 8, cacheWrite: 0, output: 2 };

/** Ports that always predict `step n`, with n the length of the branch. */
function world(over: Partial<SpeculationPorts<Branch>> = {}, options: SpeculationOptions = {}) {
  const committed: Branch[] = [];
  const outcomes: SpeculationOutcome[] = [];
  const kinds: string[] = [];
  let clock = 0;
  const run = async (on: Branch, suggestion: string, boundary: Boundary): Promise<Run<Branch>> => ({
    boundary,
    after: [...on, suggestion],
  });
  const speculation = createSpeculation<Branch>(
    {
      predict: async ({ on, meter }) => {
        meter.tokens(usage);
        return { kind: 'suggestion', text: `step ${on.length}` };
      },
      run: async ({ on, suggestion, meter }) => {
        clock += 1000;
        meter.tokens(usage);
        meter.toolUse();
        return run(on, suggestion, { kind: 'complete' });
      },
      judge: async () => verdict,
      commit: async ({ after }): Promise<Landing> => {
        clock += 10;
        committed.push(after);
        return { kind: 'committed' };
      },
      record: (outcome) => outcomes.push(outcome),
      ...over,
    },
    { now: () => clock, ...options },
  );
  speculation.subscribe(({ ahead, state }) => kinds.push(`${ahead} ${state.kind}`));
  return { speculation, committed, outcomes, kinds };
}

test('every step from guess to end is an event (invariant 6)', async () => {
  const { speculation, kinds, committed } = world();
  await using _ = speculation;
  expect(speculation.state).toEqual({ kind: 'idle' });
  speculation.begin(['start']);
  await speculation.settled();
  expect(await speculation.accept('step 1', calm)).toEqual({
    kind: 'accepted',
    next: 'nothing',
    savedMs: 990,
  });
  expect(committed).toEqual([['start', 'step 1']]);
  expect(kinds.slice(0, 4)).toEqual(['0 predicting', '0 running', '0 ready', '0 accepted']);
});

test('a record that fails takes nothing back: the commit stays an acceptance, and an abort an abort (invariant 5)', async () => {
  const record = (): never => {
    throw new Error('the disk is full');
  };
  const { speculation, committed } = world({ record });
  await using _ = speculation;
  speculation.begin([]);
  await speculation.settled();
  expect(await speculation.accept('step 0', calm)).toMatchObject({ kind: 'accepted' });
  expect(committed).toEqual([['step 0']]);
  await speculation.settled();
  expect(() => speculation.abort('typed')).not.toThrow();
  expect(speculation.state).toMatchObject({ kind: 'aborted', reason: 'typed' });
});

test('what was saved is the time until it was done or accepted, less the time it took to make it real', async () => {
  const { speculation, outcomes } = world();
  await using _ = speculation;
  speculation.begin([]);
  await speculation.settled();
  await speculation.accept('step 0', calm);
  expect(outcomes[0]).toMatchObject({
    end: { kind: 'accepted' },
    savedMs: 990,
    workedMs: 1000,
    toolUses: 1,
    usage: { input: 20, cachedInput: 16, output: 4 },
  });
});

test('what a step uses counts against a budget while it waits to be accepted', async () => {
  let spent = 0;
  const asked: number[] = [];
  const { speculation, outcomes } = world(
    {
      spending: {
        mayPredict: (ahead) => {
          asked.push(ahead);
          return spent >= 20 ? { kind: 'stay', because: 'session_budget' } : { kind: 'go' };
        },
        mayRun: () => ({ kind: 'go' }),
        spend: ({ input }) => {
          spent += input;
        },
      },
    },
    { depth: 3 },
  );
  await using _ = speculation;
  speculation.begin([]);
  await speculation.settled();
  expect(asked).toEqual([0, 1]);
  expect(speculation.states).toHaveLength(1);
  expect(outcomes.map(({ end }) => end)).toEqual([{ kind: 'silent', because: 'session_budget' }]);
});

test('a notice of the one who pays reaches whoever listens, once', async () => {
  const spending = {
    mayPredict: () => ({ kind: 'stay', because: 'seldom_accepted', notice: 'Paused.' }) as const,
    mayRun: () => ({ kind: 'go' }) as const,
  };
  const { speculation } = world({ spending });
  await using _ = speculation;
  const notices: unknown[] = [];
  speculation.subscribe(({ state }) => {
    if (state.kind === 'silent') notices.push(state.notice);
  });
  speculation.begin([]);
  await speculation.settled();
  expect(notices).toEqual(['Paused.']);
});

test('successors are worked out as far ahead as asked for, and move up one by one (invariant 1)', async () => {
  const { speculation, committed, kinds } = world({}, { depth: 3 });
  await using _ = speculation;
  speculation.begin([]);
  await speculation.settled();
  expect(speculation.states).toMatchObject([
    { kind: 'ready', suggestion: 'step 0' },
    { kind: 'ready', suggestion: 'step 1' },
    { kind: 'ready', suggestion: 'step 2' },
  ]);
  await speculation.accept('step 0', calm);
  expect(speculation.state).toMatchObject({ kind: 'ready', suggestion: 'step 1' });
  expect(kinds.slice(-4)).toContain('0 ready');
  await speculation.accept('step 1', calm);
  await speculation.settled();
  expect(speculation.states).toHaveLength(3);
  expect(committed).toEqual([['step 0'], ['step 0', 'step 1']]);
});

test('a boundary has no successor, and its rest is a query (invariant 1)', async () => {
  const boundary = { kind: 'bash', tool: 'Bash', detail: 'git push' } as const;
  const { speculation } = world(
    { run: async ({ on, suggestion }) => ({ boundary, after: [...on, suggestion] }) },
    { depth: 3 },
  );
  await using _ = speculation;
  speculation.begin([]);
  await speculation.settled();
  expect(speculation.states).toHaveLength(1);
  expect(await speculation.accept('step 0', calm)).toMatchObject({ kind: 'accepted', next: 'query' });
  expect(speculation.states).toEqual([]);
});

describe('an abort', () => {
  test.each([
    ['while guessing', 'predict'],
    ['while working', 'run'],
    ['while judging', 'judge'],
  ] as const)('%s reaches the work before the call returns (invariant 3)', async (_name, port) => {
    const reached: string[] = [];
    const begun = new AbortController();
    const hang = (_task: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reached.push(port);
          reject(signal.reason);
        });
        begun.abort();
      });
    const { speculation, committed, outcomes } = world({ [port]: hang });
    await using _ = speculation;
    speculation.begin([]);
    if (!begun.signal.aborted)
      await new Promise((resolve) => begun.signal.addEventListener('abort', resolve, { once: true }));
    expect(speculation.typed('x')).toBe('aborted');
    expect(reached).toEqual([port]);
    await speculation.settled();
    expect(speculation.state).toEqual({ kind: 'aborted', reason: 'typed' });
    expect([committed, outcomes.length]).toEqual([[], 1]);
  });

  test('ends those that are built upon it, each recorded once (invariants 1 and 2)', async () => {
    const { speculation, outcomes } = world({}, { depth: 2 });
    await using _ = speculation;
    speculation.begin([]);
    await speculation.settled();
    speculation.abort('dismissed');
    expect(outcomes.map(({ end }) => end)).toEqual([
      { kind: 'aborted', reason: 'dismissed' },
      { kind: 'aborted', reason: 'predecessor' },
    ]);
  });
});

describe('accepting', () => {
  test.each<[string, Partial<SpeculationPorts<Branch>>, string]>([
    ['a conflict', { commit: async () => ({ kind: 'conflict', paths: ['a.ts'] }) }, 'conflict'],
    [
      'an error',
      {
        commit: async () => {
          throw new Error('disk full');
        },
      },
      'failed',
    ],
  ])(
    'with %s is declined, and everything built upon it is gone (invariants 1 and 5)',
    async (_name, over, because) => {
      const { speculation } = world(over, { depth: 2 });
      await using _ = speculation;
      speculation.begin([]);
      await speculation.settled();
      expect(await speculation.accept('step 0', calm)).toMatchObject({ kind: 'declined', because });
      expect(speculation.states).toEqual([]);
    },
  );

  test('another input is declined and ends it (invariants 3 and 5)', async () => {
    const { speculation, committed } = world();
    await using _ = speculation;
    speculation.begin([]);
    await speculation.settled();
    expect(await speculation.accept('something else', calm)).toMatchObject({ because: 'other_input' });
    expect(committed).toEqual([]);
  });

  test('twice at once makes it real once (invariant 4)', async () => {
    const { speculation, committed } = world();
    await using _ = speculation;
    speculation.begin([]);
    await speculation.settled();
    const both = await Promise.all([speculation.accept('step 0', calm), speculation.accept('step 0', calm)]);
    expect(both.map(({ kind }) => kind)).toEqual(['accepted', 'declined']);
    expect(committed).toHaveLength(1);
  });

  test('before the work is done takes what there is (invariant 5)', async () => {
    const { speculation, committed } = world({
      run: ({ on, suggestion }, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            expect(signal.reason).toBeInstanceOf(AcceptedEarly);
            resolve({ boundary: { kind: 'accepted' }, after: [...on, suggestion, 'half'] });
          });
        }),
    });
    await using _ = speculation;
    const running = new Promise<void>((resolve) => {
      speculation.subscribe(({ state }) => state.kind === 'running' && resolve());
    });
    speculation.begin([]);
    await running;
    expect(await speculation.accept('step 0', calm)).toMatchObject({ kind: 'accepted', next: 'query' });
    expect(committed).toEqual([['step 0', 'half']]);
  });

  test('an interrupt ends the wait for a run that does not stop early (invariant 5)', async () => {
    const { speculation, committed } = world({
      run: (_task, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            const { reason } = signal;
            if (!(reason instanceof AcceptedEarly)) reject(reason);
          });
        }),
    });
    const running = new Promise<void>((resolve) => {
      speculation.subscribe(({ state }) => state.kind === 'running' && resolve());
    });
    speculation.begin([]);
    await running;
    const interrupt = new AbortController();
    const accepting = speculation.accept('step 0', interrupt.signal);
    interrupt.abort();
    expect(await accepting).toMatchObject({ kind: 'declined', because: 'interrupted' });
    expect(committed).toEqual([]);
    expect(await speculation.accept('step 0', calm)).toMatchObject({ because: 'nothing_ready' });
  });

  test('typing while it becomes real does not undo it (invariants 1 and 2)', async () => {
    let land = (_landing: Landing): void => {};
    let tellAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    const commit = (): Promise<Landing> => {
      tellAsked();
      return new Promise((resolve) => {
        land = resolve;
      });
    };
    const { speculation, outcomes } = world({ commit }, { depth: 2 });
    await using _ = speculation;
    speculation.begin([]);
    await speculation.settled();
    const accepting = speculation.accept('step 0', calm);
    await asked;
    expect(speculation.typed('x')).toBe('aborted');
    land({ kind: 'committed' });
    expect(await accepting).toMatchObject({ kind: 'accepted' });
    expect(outcomes.map(({ end }) => end.kind)).toEqual(['aborted', 'accepted']);
  });

  test('words that were not worked on are the user’s to run, and count as taken (invariants 4 and 5)', async () => {
    const { speculation, outcomes } = world({
      spending: {
        mayPredict: () => ({ kind: 'go' }),
        mayRun: () => ({ kind: 'stay', because: 'does_not_pay' }),
      },
    });
    await using _ = speculation;
    speculation.begin([]);
    await speculation.settled();
    expect(speculation.state).toMatchObject({ kind: 'suggested', suggestion: 'step 0' });
    expect(await speculation.accept('step 0', calm)).toMatchObject({ kind: 'declined' });
    expect(outcomes.map(({ end }) => end.kind)).toEqual(['taken']);
  });
});

test('turned off, nothing is guessed', async () => {
  const { speculation, kinds } = world();
  await using _ = speculation;
  speculation.turn('off');
  speculation.begin([]);
  await speculation.settled();
  expect(kinds).toEqual([]);
  speculation.turn('on');
  speculation.begin([]);
  await speculation.settled();
  expect(kinds).toEqual(['0 predicting', '0 running', '0 ready']);
});

test.each(['predict', 'run', 'judge'] as const)(
  'a failing %s ends quietly (invariants 3 and 5)',
  async (port) => {
    const { speculation, committed } = world({
      [port]: async () => {
        throw new Error('out of order');
      },
    });
    await using _ = speculation;
    speculation.begin([]);
    await speculation.settled();
    expect(speculation.state).toEqual({ kind: 'aborted', reason: 'failed' });
    expect(await speculation.accept('step 0', calm)).toMatchObject({ kind: 'declined' });
    expect(committed).toEqual([]);
  },
);

test('a listener that throws does not stop the work (invariant 6)', async () => {
  const { speculation } = world();
  await using _ = speculation;
  speculation.subscribe(() => {
    throw new Error('deaf');
  });
  speculation.begin([]);
  await speculation.settled();
  expect(speculation.state.kind).toBe('ready');
});
