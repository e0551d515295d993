import { describe, expect, test } from 'vitest';
import { PermissionGuard, type PermissionMode } from '../agent/permission/permission-guard.ts';
import { parseRule } from '../agent/permission/permission-rule.ts';
import { boundaryAt } from '../tools/boundary.ts';
import type { GuardedCall } from '../tools/guard.ts';
import type { Effect } from '../tools/tool.ts';
import { TierGuard } from './tier-guard.ts';

function call(tool: string, effect: Effect, command?: string): GuardedCall {
  return {
    id: 'call_1',
    tool,
    input: {},
    effect,
    subject: command === undefined ? { kind: 'none' } : { kind: 'command', command },
  };
}

async function decided(
  mode: PermissionMode,
  given: GuardedCall,
  rules: { readonly allow?: string; readonly deny?: string } = {},
): Promise<string> {
  const guard = new TierGuard(
    new PermissionGuard({
      mode,
      allow: rules.allow ? [parseRule(rules.allow)] : [],
      deny: rules.deny ? [parseRule(rules.deny)] : [],
    }),
  );
  const decision = await guard.decide(given);
  return decision.kind === 'halt' ? boundaryAt(given, decision.reason).kind : decision.kind;
}

const [look, edit, check, push, fetch] = [
  call('Read', 'reads'),
  call('Edit', 'overlay'),
  call('Bash', 'process', 'npm test'),
  call('Bash', 'process', 'git push'),
  call('WebFetch', 'network'),
];

describe('in the mode', () => {
  test.each<[PermissionMode, readonly string[]]>([
    ['default', ['allow', 'edit', 'allow', 'bash', 'denied_tool']],
    ['acceptEdits', ['allow', 'allow', 'allow', 'bash', 'denied_tool']],
    ['bypassPermissions', ['allow', 'allow', 'allow', 'bash', 'denied_tool']],
    ['plan', ['allow', 'edit', 'bash', 'bash', 'denied_tool']],
  ])('%s a look, an edit, a test, a push and a download are: %s', async (mode, expected) => {
    const calls = [look, edit, check, push, fetch];
    expect(await Promise.all(calls.map((each) => decided(mode, each)))).toEqual(expected);
  });
});

test('what a rule forbids is denied in the words a live turn would hear', async () => {
  expect(await decided('acceptEdits', edit, { deny: 'Edit' })).toBe('deny');
  expect(await decided('default', look, { deny: 'Read' })).toBe('deny');
  expect(await decided('bypassPermissions', check, { deny: 'Bash(npm test)' })).toBe('deny');
});

test('an edit that a rule allows is made', async () => {
  expect(await decided('default', edit, { allow: 'Edit' })).toBe('allow');
});
