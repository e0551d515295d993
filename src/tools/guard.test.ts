import { expect, test } from 'vitest';
import {
  type Ask,
  askGuards,
  type Guard,
  type GuardDecision,
  type GuardedCall,
  type GuardQuestion,
  type PermissionAnswer,
} from './guard.ts';

const calm = new AbortController().signal;

const call: GuardedCall = {
  id: 'call_1',
  tool: 'Bash',
  input: { command: 'npm test' },
  effect: 'process',
  subject: { kind: 'command', command: 'npm test' },
};

const allow = { kind: 'allow' } as const;
const denial = { kind: 'deny', reason: 'not now' } as const;

/** A question that takes a no and no answer for a denial. */
const question: GuardQuestion = {
  call,
  suggestion: { tool: 'Bash' },
  settle: async (answer) => (answer?.kind === 'allow' ? allow : denial),
};

/** Guards that answer so, and the names of those that were asked. */
function guarding(...decisions: readonly GuardDecision[]): { guards: readonly Guard[]; asked: number[] } {
  const asked: number[] = [];
  const guards = decisions.map((decision, index) => ({
    decide: async (given: GuardedCall) => {
      expect(given).toBe(call);
      asked.push(index);
      return decision;
    },
  }));
  return { guards, asked };
}

test.each<[string, readonly GuardDecision[], unknown, readonly number[]]>([
  ['without guards a call is allowed', [], { kind: 'allow', warnings: [] }, []],
  ['all must allow', [allow, allow], { kind: 'allow', warnings: [] }, [0, 1]],
  ['the first that denies decides, and no other is asked', [allow, denial, allow], denial, [0, 1]],
  ['a halt is no denial', [{ kind: 'halt', reason: 'stop' }, denial], { kind: 'halt', reason: 'stop' }, [0]],
  [
    'warnings of all guards are kept',
    [
      { kind: 'warn', warning: 'a' },
      { kind: 'warn', warning: 'b' },
    ],
    { kind: 'allow', warnings: ['a', 'b'] },
    [0, 1],
  ],
  ['without a user a question is settled without an answer', [{ kind: 'ask', question }, allow], denial, [0]],
])('%s', async (_promise, decisions, expected, asked) => {
  const guarded = guarding(...decisions);
  expect(await askGuards(guarded, call, calm)).toEqual(expected);
  expect(guarded.asked).toEqual(asked);
});

test.each<[PermissionAnswer, unknown, readonly number[]]>([
  [{ kind: 'allow' }, { kind: 'allow', warnings: [] }, [0, 1]],
  [{ kind: 'deny' }, denial, [0]],
])('the user is asked where a guard asks; the answer %o counts', async (answer, expected, asked) => {
  const requests: unknown[] = [];
  const ask: Ask = async (request) => {
    requests.push(request);
    return answer;
  };
  const { guards, asked: reached } = guarding({ kind: 'ask', question }, allow);
  expect(await askGuards({ guards, ask }, call, calm)).toEqual(expected);
  expect(requests).toEqual([{ call, suggestion: { tool: 'Bash' } }]);
  expect(reached).toEqual(asked);
});
