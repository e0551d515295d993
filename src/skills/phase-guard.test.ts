import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Log, type LogRecord } from '../base/log.ts';
import type { GuardDecision } from '../tools/guard.ts';
import { flag } from '../tools/parameter.ts';
import { defineTool, type Effect, type Tool } from '../tools/tool.ts';
import { jsonResult } from '../tools/tool-result.ts';
import { phaseGuard } from './phase-guard.ts';
import { PhaseTracker } from './phase-tracker.ts';
import { parseSkill } from './skill.ts';

const skill = parseSkill(`---
name: sample
metadata:
  tool_permissions:
    phases:
      preview: { allowed: [look, rename], forbidden: [apply_edit, Write] }
      execute: { allowed: [check, rename, apply_edit, Write], forbidden: [look] }
    global_forbidden: [format]
---
`);

function tool(name: string, effect: Effect = 'reads'): Tool {
  return defineTool({
    name,
    title: name,
    effect,
    description: '',
    input: z.object({ dry_run: flag('').optional(), apply: flag('').optional() }),
    handle: async () => jsonResult({}),
  });
}

const known = skill ? [skill] : [];
const calm = new AbortController().signal;

interface Bench {
  readonly tracker: PhaseTracker;
  readonly events: string[];
  call(tool: Tool, input?: Readonly<Record<string, unknown>>): Promise<GuardDecision>;
}

function bench(): Bench {
  const events: string[] = [];
  const log = new Log(({ logger, event }: LogRecord) => events.push(`${logger} ${event}`));
  const tracker = new PhaseTracker(log);
  const guard = phaseGuard(tracker);
  return {
    tracker,
    events,
    call(called, raw = {}) {
      const { input, effect } = called.prepare(raw);
      return guard.decide({ id: '1', tool: called.name, input, effect, subject: { kind: 'none' } }, calm);
    },
  };
}

const rename = tool('rename', 'disk');
const anyWriter = tool('brand_new_writer', 'disk');

test('without an active skill every call passes', async () => {
  expect(await bench().call(anyWriter)).toEqual({ kind: 'allow' });
});

describe('block', () => {
  test('a refusal says why, and names only tools that lead on', async () => {
    const { tracker, call } = bench();
    tracker.activate('sample', 'block', known);
    expect(await call(anyWriter)).toEqual({
      kind: 'deny',
      reason: [
        'Phase violation: brand_new_writer is forbidden in the "preview" phase',
        'Recovery: brand_new_writer is allowed in the "execute" phase. To enter the next phase, "execute", call one of: check.',
        '{"error":"phase_violation","tool":"brand_new_writer","skill":"sample","current_phase":"preview","reason":"brand_new_writer is forbidden in the \\"preview\\" phase","recovery":"brand_new_writer is allowed in the \\"execute\\" phase. To enter the next phase, \\"execute\\", call one of: check."}',
      ].join('\n\n'),
      remedy:
        'brand_new_writer is allowed in the "execute" phase. To enter the next phase, "execute", call one of: check.',
    });
  });

  test.each<
    [promise: string, called: Tool, input: Readonly<Record<string, unknown>>, reason: RegExp | undefined]
  >([
    ['a dry run is no write', rename, { dry_run: true }, undefined],
    ['a dry run may be spelled', rename, { dry_run: 'true' }, undefined],
    [
      'the same tool without it is one',
      rename,
      {},
      /^Phase violation: rename is .*"preview" phase.*with dry_run: true\./s,
    ],
    ['a reading tool that applies writes', tool('layout'), { apply: true }, /layout is forbidden/],
    ['the same tool without applying does not', tool('layout'), {}, undefined],
    [
      'what the whole skill forbids stays forbidden',
      tool('format'),
      {},
      /globally forbidden during the sample skill/,
    ],
  ])('%s', async (_promise, called, input, reason) => {
    const { tracker, call } = bench();
    tracker.activate('sample', 'block', known);
    const decision = await call(called, input);
    if (!reason) expect(decision).toEqual({ kind: 'allow' });
    else expect(decision).toMatchObject({ kind: 'deny', reason: expect.stringMatching(reason) });
  });

  test('the tools that steer the enforcement always pass and leave no trace', async () => {
    const { tracker, call } = bench();
    tracker.activate('sample', 'block', known);
    for (const name of ['activate_skill', 'deactivate_skill', 'get_skill_phase'])
      await call(tool(name, 'disk'));
    expect(tracker.active?.history).toEqual([]);
  });
});

describe('a write and its preview', () => {
  const renaming = parseSkill(`---
name: renaming
metadata:
  tool_permissions:
    phases:
      preview: { allowed: [look, rename_symbol], forbidden: [apply_edit, Write] }
      execute: { allowed: [check, rename_symbol, apply_edit], forbidden: [] }
---
`);
  const renameSymbol = tool('rename_symbol', 'disk');

  test('no read unlocks the write, and the refusal names the preview', async () => {
    const { tracker, call } = bench();
    tracker.activate('renaming', 'block', renaming ? [renaming] : []);
    expect(await call(tool('look'))).toEqual({ kind: 'allow' });
    expect(await call(tool('check'))).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('check would lead to writing without a preview of the "preview" phase'),
      remedy: 'Preview the change first, in the "preview" phase: rename_symbol.',
    });
    expect(await call(renameSymbol)).toMatchObject({ kind: 'deny' });
    expect(tracker.active?.phase.name).toBe('preview');
  });

  test('after the preview the write enters its phase by itself', async () => {
    const { tracker, call } = bench();
    tracker.activate('renaming', 'block', renaming ? [renaming] : []);
    await call(renameSymbol, { dry_run: true });
    expect(await call(renameSymbol)).toEqual({ kind: 'allow' });
    expect(tracker.active?.phase.name).toBe('execute');
  });

  test('after the preview a tool of the next phase may go first', async () => {
    const { tracker, call } = bench();
    tracker.activate('renaming', 'block', renaming ? [renaming] : []);
    await call(renameSymbol, { dry_run: true });
    expect([await call(tool('check')), await call(anyWriter)]).toEqual([
      { kind: 'allow' },
      { kind: 'allow' },
    ]);
  });
});

test('warn lets the call pass with the same words', async () => {
  const { tracker, call } = bench();
  tracker.activate('sample', 'warn', known);
  expect(await call(anyWriter)).toMatchObject({
    kind: 'warn',
    warning: expect.stringMatching(/^Phase violation: brand_new_writer is forbidden/),
  });
});

test('strict does not leave a phase in which nothing was done', async () => {
  const { tracker, call } = bench();
  tracker.activate('sample', 'strict', known);
  expect(await call(tool('check'))).toMatchObject({
    kind: 'deny',
    reason: expect.stringMatching(
      /check would skip the "preview" phase\n\nRecovery: Tools of the "preview" phase: look, rename\./,
    ),
  });
  await call(tool('look'));
  expect(await call(tool('check'))).toEqual({ kind: 'allow' });
  expect(tracker.active?.phase.name).toBe('execute');
});

describe('the life of an activation', () => {
  test('is told to the record of calls', async () => {
    const { tracker, call, events } = bench();
    tracker.activate('sample', 'block', known);
    for (const called of [tool('look'), anyWriter, tool('check'), anyWriter]) await call(called);
    tracker.deactivate();
    expect(events).toEqual([
      'audit activate_skill',
      'audit phase_violation',
      'audit phase_advance',
      'audit deactivate_skill',
    ]);
  });

  test('keeps a history that a later activation does not inherit', async () => {
    const { tracker, call } = bench();
    tracker.activate('sample', 'block', known);
    for (const called of [tool('look'), anyWriter, tool('elsewhere')]) await call(called);
    expect(tracker.active?.history).toEqual(['look', 'brand_new_writer', 'elsewhere']);
    tracker.deactivate();
    expect(tracker.active).toBeUndefined();
    expect(tracker.activate('sample', 'warn', known)).toMatchObject({ index: 0, history: [] });
  });

  test('begins only for a known skill, and only when none is active', () => {
    const { tracker } = bench();
    expect(() => tracker.activate('other', 'warn', known)).toThrow(
      'unknown skill "other"; available skills: [sample]',
    );
    tracker.activate('sample', 'warn', known);
    expect(() => tracker.activate('sample', 'warn', known)).toThrow(
      'skill "sample" is already active; call deactivate_skill first',
    );
    tracker.deactivate();
    tracker.deactivate();
  });
});
