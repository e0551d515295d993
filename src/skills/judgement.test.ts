import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnforcementMode, isViolation, judge, type PhaseProgress } from './judgement.ts';
import { callOf, type Phase, type PhasedCall, type PhasePlan, speaksOf } from './phase.ts';

function phase(name: string, lists: Partial<Omit<Phase, 'name'>> = {}): Phase {
  return { name, description: '', allowed: [], forbidden: [], isOptional: false, ...lists };
}

const plan: PhasePlan = {
  phases: [
    phase('begin', { allowed: ['start'], isOptional: true }),
    phase('look', { allowed: ['find_*', 'rename'], forbidden: ['apply_edit'] }),
    phase('act', { allowed: ['check', 'apply_edit', 'rename'], forbidden: ['find_*'] }),
    phase('done', { allowed: ['build'], forbidden: ['apply_edit'] }),
  ],
  globallyForbidden: ['never', 'never_*'],
};

function at(index: number, mode: EnforcementMode = 'block', served: readonly number[] = []): PhaseProgress {
  return { mode, index, served: new Set(served) };
}

const write = (name: string): PhasedCall => ({ name, effect: 'disk' });

describe('one call', () => {
  test.each<[promise: string, progress: PhaseProgress, call: PhasedCall, expected: object]>([
    ['forbidden throughout by name', at(2), callOf('never'), { kind: 'globally-forbidden' }],
    ['forbidden throughout by prefix', at(2), callOf('never_again'), { kind: 'globally-forbidden' }],
    ['allowed in its phase', at(1), callOf('find_x'), { kind: 'within' }],
    ['forbidden in its phase', at(2), callOf('find_x'), { kind: 'forbidden', phase: { name: 'act' } }],
    ['allowed later', at(1), callOf('check'), { kind: 'advance', to: 2 }],
    ['allowed much later, which may leave phases out', at(0), callOf('build'), { kind: 'advance', to: 3 }],
    ['allowed only earlier', at(3), callOf('start'), { kind: 'outside' }],
    ['known to no phase', at(1), callOf('other'), { kind: 'outside' }],
    [
      'writes where writing is forbidden',
      at(1),
      write('other'),
      { kind: 'forbidden', phase: { name: 'look' } },
    ],
    ['writes where writing is allowed', at(2), write('other'), { kind: 'within' }],
    ['may be tried without writing', at(1), callOf('rename'), { kind: 'within' }],
    ['may not be done where it may be tried', at(1), write('rename'), { kind: 'forbidden' }],
    [
      'jumps over a phase that forbids it',
      at(0),
      write('other'),
      { kind: 'forbidden', phase: { name: 'look' } },
    ],
  ])('that is or does this: %s', (_promise, progress, call, expected) => {
    expect(judge(plan, progress, call)).toMatchObject(expected);
  });
});

describe('strict', () => {
  test.each<[promise: string, progress: PhaseProgress, expected: object]>([
    [
      'a phase without a call of its own is not passed over',
      at(1, 'strict'),
      { kind: 'skips', phase: { name: 'look' } },
    ],
    ['nor is one in between', at(1, 'strict', [1]), { kind: 'skips', phase: { name: 'act' } }],
    ['served phases are left', at(1, 'strict', [1, 2]), { kind: 'advance', to: 3 }],
    ['optional phases need no call', at(0, 'strict', [1, 2]), { kind: 'advance', to: 3 }],
    ['other modes do not ask', at(1, 'block'), { kind: 'advance', to: 3 }],
  ])('%s', (_promise, progress, expected) => {
    expect(judge(plan, progress, callOf('build'))).toMatchObject(expected);
  });
});

const names = ['start', 'find_a', 'rename', 'check', 'apply_edit', 'build', 'never', 'other'];
const patterns = fc.subarray(['start', 'find_*', 'rename', 'check', 'apply_edit', 'build', 'never']);
const anyPhase = fc
  .record({ allowed: patterns, forbidden: patterns, isOptional: fc.boolean() })
  .map((lists) => phase('any', lists));
const anyPlan = fc
  .record({ first: anyPhase, rest: fc.array(anyPhase, { maxLength: 4 }), globallyForbidden: patterns })
  .map(({ first, rest, globallyForbidden }): PhasePlan => ({ phases: [first, ...rest], globallyForbidden }));
const anyCall = fc.record({
  name: fc.constantFrom(...names),
  effect: fc.constantFrom('reads' as const, 'disk' as const, 'overlay' as const),
});
const anyMode = fc.constantFrom('warn' as const, 'block' as const, 'strict' as const);

test('a phase never moves backwards, and no write passes or enters a phase that forbids writing', () => {
  fc.assert(
    fc.property(anyPlan, anyMode, fc.array(anyCall, { maxLength: 12 }), (any, mode, calls) => {
      let index = 0;
      const served = new Set<number>();
      for (const call of calls) {
        const judgement = judge(any, { mode, index, served }, call);
        if (judgement.kind === 'advance') {
          expect(judgement.to).toBeGreaterThan(index);
          index = judgement.to;
        }
        if (isViolation(judgement)) continue;
        expect(speaksOf(any.phases[index]?.forbidden ?? [], call)).toBe(false);
        if (judgement.kind !== 'outside') served.add(index);
      }
    }),
  );
});
