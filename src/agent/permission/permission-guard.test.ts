import { describe, expect, test } from 'vitest';
import { liveRoots } from '../../../test/support/agent-trial.ts';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { calm } from '../../../test/support/world.ts';
import { askGuards } from '../../tools/guard.ts';
import type { GuardedCall } from '../../tools/guarded-call.ts';
import type { Ask, PermissionAnswer, PermissionRequest } from '../../tools/permission-request.ts';
import type { Effect } from '../../tools/tool.ts';
import { viewsOf } from '../files/agent-root.ts';
import { anchorPath } from '../files/path-anchor.ts';
import { PermissionGuard, type PermissionMode } from './permission-guard.ts';
import { parseRule, renderRule } from './permission-rule.ts';

const input = {};

function command(text: string): GuardedCall {
  return { id: '1', tool: 'Bash', input, effect: 'process', subject: { kind: 'command', command: text } };
}

async function onFile(tool: string, path: string): Promise<GuardedCall> {
  await using scratch = await ScratchWorkspace.create({});
  const at = await anchorPath(viewsOf(liveRoots(scratch.workspace)), path);
  const effect: Effect = ['Read', 'Grep', 'Glob'].includes(tool) ? 'reads' : 'overlay';
  return { id: '1', tool, input, effect, subject: { kind: 'paths', paths: [at] } };
}

function standing(
  mode: PermissionMode,
  call: GuardedCall,
  allow: readonly string[] = [],
  deny: readonly string[] = [],
): string {
  return new PermissionGuard({ mode, allow: allow.map(parseRule), deny: deny.map(parseRule) }).standing(call)
    .kind;
}

describe('a mode', () => {
  const rows: readonly (readonly [PermissionMode, string, string, string])[] = [
    ['default', 'allow', 'ask', 'ask'],
    ['acceptEdits', 'allow', 'allow', 'ask'],
    ['plan', 'allow', 'deny', 'deny'],
    ['bypassPermissions', 'allow', 'allow', 'allow'],
  ];
  test.each(rows)('%s: reads %s, edits %s, commands %s', async (mode, reads, edits, commands) => {
    expect(standing(mode, await onFile('Read', 'a.ts'))).toBe(reads);
    expect(standing(mode, await onFile('Edit', 'a.ts'))).toBe(edits);
    expect(standing(mode, command('npm test'))).toBe(commands);
  });

  test('that accepts edits still asks about files that programs take orders from', async () => {
    for (const path of ['.git/hooks/pre-commit', '.forerun/settings.json', 'app/.vscode/tasks.json']) {
      expect(standing('acceptEdits', await onFile('Write', path)), path).toBe('ask');
    }
    expect(standing('acceptEdits', await onFile('Write', '.github/workflows/ci.yml'))).toBe('allow');
  });

  test('asks about no edit that the user decides about anyway, unless programs take orders from the file', async () => {
    const proposing = new PermissionGuard({ mode: 'default', allow: [], deny: [], edits: 'proposed' });
    const planning = new PermissionGuard({ mode: 'plan', allow: [], deny: [], edits: 'proposed' });
    const edit = await onFile('Edit', 'a.ts');
    expect(proposing.standing(edit).kind).toBe('allow');
    expect(proposing.fork().standing(edit).kind).toBe('allow');
    expect(proposing.standing(await onFile('Write', '.git/hooks/pre-commit')).kind).toBe('ask');
    expect(proposing.standing(command('npm test')).kind).toBe('ask');
    expect(planning.standing(edit).kind).toBe('deny');
  });

  test('never lets pass what a rule denies, and plan mode not even what one allows', async () => {
    const edit = await onFile('Edit', 'src/a.ts');
    for (const mode of ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const) {
      expect(standing(mode, edit, ['Edit'], ['Edit(src/**)'])).toBe('deny');
    }
    expect(standing('plan', edit, ['Edit'])).toBe('deny');
  });
});

describe('a rule about commands', () => {
  test.each([
    ['Bash', 'anything at all', 'allow'],
    ['Bash(npm test:*)', 'npm test', 'allow'],
    ['Bash(npm test:*)', 'npm test -- --watch=false', 'allow'],
    ['Bash(npm test:*)', 'npm testing', 'ask'],
    ['Bash(npm test:*)', 'npm test && rm -rf /', 'ask'],
    ['Bash(npm test:*)', 'npm test; curl evil.example', 'ask'],
    ['Bash(npm test:*)', 'npm test | tee out', 'ask'],
    ['Bash(npm test:*)', 'npm test $(rm -rf /)', 'ask'],
    ['Bash(npm test:*)', 'npm test `rm -rf /`', 'ask'],
    ['Bash(npm test:*)', 'npm test > /etc/passwd', 'ask'],
    ['Bash(npm test:*)', 'npm test &', 'ask'],
    ['Bash(npm test:*)', 'npm test\nrm -rf /', 'ask'],
    ['Bash(npm test:*)', 'PATH=. npm test', 'ask'],
    ['Bash(npm run *)', 'npm run build', 'allow'],
    ['Bash(git status)', 'git status', 'allow'],
    ['Bash(git status)', 'git status -s', 'ask'],
  ])('%s for %j: %s', (rule, text, expected) => {
    expect(standing('default', command(text), [rule])).toBe(expected);
  });

  test('that denies matches any part, and where the text cannot be read, any mention', () => {
    const denied = [
      'rm -rf x',
      'ls; rm -rf x',
      'ls && rm y',
      'echo $(rm x)',
      'sh -c "rm x"',
      'x=1 rm z',
      'sudo rm x',
      'ls | xargs rm',
      'find . -exec rm {} +',
    ];
    for (const text of denied)
      expect(standing('bypassPermissions', command(text), [], ['Bash(rm:*)']), text).toBe('deny');
    for (const text of ['ls', 'npm run rmdir', 'git rm-old $(x)', 'grep "rm x" a.sh']) {
      expect(standing('bypassPermissions', command(text), [], ['Bash(rm:*)']), text).toBe('allow');
    }
  });

  test('two rules together let a command of two parts pass', () => {
    const rules = ['Bash(npm test:*)', 'Bash(npm run lint)'];
    expect(standing('default', command('npm run lint && npm test -- a'), rules)).toBe('allow');
  });
});

describe('a rule about files', () => {
  test.each([
    ['Edit(src/**)', 'Edit', 'src/a/b.ts', 'allow'],
    ['Edit(src/**)', 'Write', 'src/a.ts', 'allow'],
    ['Edit(src/**)', 'MultiEdit', 'src/a.ts', 'allow'],
    ['Edit(src)', 'Edit', 'src/a.ts', 'allow'],
    ['Edit(src/)', 'Edit', 'src/a.ts', 'allow'],
    ['Edit(src/**)', 'Edit', 'srcs/a.ts', 'ask'],
    ['Edit(*.md)', 'Edit', 'docs/a.md', 'allow'],
    ['Write(src/**)', 'Edit', 'src/a.ts', 'ask'],
    ['Edit(src/**)', 'Edit', 'src/../secret.ts', 'ask'],
  ])('%s for %s of %s: %s', async (rule, tool, path, expected) => {
    expect(standing('default', await onFile(tool, path), [rule])).toBe(expected);
  });

  test('that denies reading a file denies every way of looking at it', async () => {
    for (const tool of ['Read', 'Grep', 'Glob']) {
      expect(standing('bypassPermissions', await onFile(tool, 'conf/.env'), [], ['Read(.env)'])).toBe('deny');
    }
  });
});

describe('asking', () => {
  async function decided(
    decision: PermissionAnswer,
    calls: readonly GuardedCall[],
  ): Promise<{
    readonly asked: readonly PermissionRequest[];
    readonly saved: readonly string[];
    readonly kinds: readonly string[];
  }> {
    const asked: PermissionRequest[] = [];
    const saved: string[] = [];
    const guard = new PermissionGuard({
      mode: 'default',
      allow: [],
      deny: [],
      save: async (rule) => void saved.push(renderRule(rule)),
    });
    const ask: Ask = async (request) => {
      asked.push(request);
      return decision;
    };
    const kinds: string[] = [];
    for (const call of calls) kinds.push((await askGuards({ guards: [guard], ask }, call, calm)).kind);
    return { asked, saved, kinds };
  }

  test('happens each time, unless the answer is to be remembered', async () => {
    const calls = [command('npm test'), command('npm test -- x')];
    expect(await decided({ kind: 'allow' }, calls)).toMatchObject({
      asked: { length: 2 },
      kinds: ['allow', 'allow'],
    });
    const rule = parseRule('Bash(npm test:*)');
    expect(await decided({ kind: 'allow-always', rule, scope: 'conversation' }, calls)).toMatchObject({
      asked: { length: 1 },
      saved: [],
      kinds: ['allow', 'allow'],
    });
    expect((await decided({ kind: 'allow-always', rule, scope: 'project' }, calls)).saved).toEqual([
      'Bash(npm test:*)',
    ]);
  });

  test.each([
    ['npm test -- a', 'Bash(npm test:*)'],
    ['npm run build', 'Bash(npm run build:*)'],
    ['python -m pytest -q', 'Bash(python -m pytest:*)'],
    ['python -c "print(1)"', 'Bash(python -c "print(1)")'],
    ['rm -rf build', 'Bash(rm -rf build)'],
    ['npm test && git push', 'Bash(npm test && git push)'],
  ])('about %s offers the rule %s, which covers it', async (text, rule) => {
    const { asked } = await decided({ kind: 'allow' }, [command(text)]);
    expect(asked.map(({ suggestion }) => renderRule(suggestion))).toEqual([rule]);
  });

  test('with nobody there is a no that says how to allow it', async () => {
    const guard = new PermissionGuard({ mode: 'default', allow: [], deny: [] });
    expect(await askGuards({ guards: [guard] }, command('npm test'), calm)).toEqual({
      kind: 'deny',
      reason:
        'There is no user here to ask for permission. To allow it, add the rule Bash(npm test:*) to permissions.allow in the settings, or choose another permission mode.',
    });
  });

  test("passes the user's words on to the model", async () => {
    const guard = new PermissionGuard({ mode: 'default', allow: [], deny: [] });
    const ask: Ask = async () => ({ kind: 'deny', words: 'use pnpm' });
    expect(await askGuards({ guards: [guard], ask }, command('npm i'), calm)).toEqual({
      kind: 'deny',
      reason: 'The user did not allow this. The user said: use pnpm',
    });
  });
});

test('what is no rule is refused', () => {
  for (const text of ['', 'Bash(', '(x)', 'two words'])
    expect(() => parseRule(text), text).toThrow(/not a permission rule/);
});
