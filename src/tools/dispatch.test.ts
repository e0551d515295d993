import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Failure } from '../base/failure.ts';
import { Log, type LogRecord, silentLog } from '../base/log.ts';
import { WorkspaceRegistry } from '../live/workspace-registry.ts';
import { SessionDirty } from '../session/failure.ts';
import { Sessions } from '../session/sessions.ts';
import { budgetInput } from './answer-budget.ts';
import { dispatch } from './dispatch.ts';
import type { Guard } from './guard.ts';
import { OpenedDocuments } from './opened-documents.ts';
import { word } from './parameter.ts';
import { defineTool, during, type Tool } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { contentOf, jsonResult, tokensOf } from './tool-result.ts';

class Nothing extends Failure {
  readonly code = 'test/nothing';
  readonly remedy = 'Bring something.';
}

const calm = new AbortController().signal;

function contextWith(log: Log): ToolContext {
  const workspaces = new WorkspaceRegistry({ definitions: [], poolSize: 1, env: {}, log }).connect();
  const connection = { documents: new OpenedDocuments(), setLogLevel: () => {}, progress: () => {} };
  return { workspaces, sessions: new Sessions({ workspaces, log }), log, connection };
}

function toolThat(handle: () => Promise<never> | Promise<ReturnType<typeof jsonResult>>): Tool {
  return defineTool({
    name: 'sample',
    title: 'Sample',
    aliases: ['old_sample'],
    listedAliases: [{ name: 'second_sample', title: 'Second' }],
    effect: 'reads',
    description: 'A sample.',
    input: z.object({ name: word('A name.').optional() }),
    handle,
  });
}

async function call(tool: Tool, name = 'sample', guards: readonly Guard[] = []): Promise<readonly string[]> {
  const result = await dispatch(contextWith(silentLog), { tools: [tool], guards, name, arguments: {} }, calm);
  return [result.isError ? 'error' : 'fine', ...contentOf(result)];
}

const fine = toolThat(async () => jsonResult({ ok: true }, { hint: 'go on.', meta: { etag: 'x' } }));

describe('names', () => {
  test.each(['sample', 'old_sample', 'second_sample', 'mcp__lsp__sample'])(
    '%s finds the tool',
    async (name) => {
      expect(await call(fine, name)).toEqual([
        'fine',
        '{"ok":true}',
        'Next step: go on.',
        '{"_meta":{"etag":"x"}}',
      ]);
    },
  );

  test('an unknown name is the one thing that is thrown', async () => {
    await expect(call(fine, 'other')).rejects.toMatchObject({ code: 'tools/unknown-tool' });
  });
});

test('a tool that takes a budget has one of 8000 tokens, unless the caller gives another', async () => {
  const long = defineTool({
    name: 'sample',
    title: 'Sample',
    effect: 'reads',
    description: 'A long answer.',
    input: z.object(budgetInput),
    handle: async () => jsonResult(Array.from({ length: 20_000 }, (_, index) => index)),
  });
  const answer = async (given: object): Promise<readonly string[]> =>
    contentOf(
      await dispatch(
        contextWith(silentLog),
        { tools: [long], guards: [], name: 'sample', arguments: given },
        calm,
      ),
    );
  const [byDefault = '', meta = ''] = await answer({});
  expect(tokensOf(byDefault)).toBeLessThanOrEqual(8000);
  const { truncated } = JSON.parse(meta)._meta;
  expect(truncated).toMatchObject({ max_tokens: 8000, left_out: expect.any(Number) });
  const [whole = ''] = await answer(truncated.continue_with);
  expect(JSON.parse(whole)).toHaveLength(20_000);
});

describe('what goes wrong is answered', () => {
  test.each<[string, () => Promise<never>, readonly string[]]>([
    [
      'a failure by its sentence, then its code and remedy',
      () => during('sample failed', () => Promise.reject(new Nothing('nothing there'))),
      ['error', 'sample failed: nothing there', '{"code":"test/nothing","remedy":"Bring something."}'],
    ],
    [
      'a thrown error by its sentence',
      () => Promise.reject(new TypeError('oops')),
      ['error', 'oops', expect.stringContaining('"tools/unexpected"')],
    ],
    [
      'a dirty session with the facts a program needs',
      () => Promise.reject(new SessionDirty('s1', { reason: 'lost' })),
      [
        'error',
        'session s1 is dirty: lost',
        expect.stringContaining('"session_id":"s1","session_dirty":true'),
      ],
    ],
  ])('%s', async (_promise, handle, expected) => {
    expect(await call(toolThat(handle))).toEqual(expected);
  });
});

test.each(['deny', 'halt'] as const)('a guard that says %s keeps the tool from running', async (kind) => {
  let hasRun = false;
  const tool = toolThat(async () => {
    hasRun = true;
    return jsonResult({});
  });
  const guard: Guard = { decide: async () => ({ kind, reason: 'not now', remedy: 'Wait.' }) };
  expect(await call(tool, 'sample', [guard])).toEqual([
    'error',
    'not now',
    '{"code":"tools/denied","remedy":"Wait."}',
  ]);
  expect(hasRun).toBe(false);
});

test('a guard that warns lets the tool run, and its warning is an item between hint and metadata', async () => {
  const warn: Guard = { decide: async () => ({ kind: 'warn', warning: 'careful' }) };
  expect(await call(fine, 'sample', [warn])).toEqual([
    'fine',
    '{"ok":true}',
    'Next step: go on.',
    'careful',
    '{"_meta":{"etag":"x"}}',
  ]);
});

test('a guard sees the tool under its own name, what was given and what the call touches', async () => {
  const seen: unknown[] = [];
  const guard: Guard = {
    decide: async ({ tool, input, effect }) => {
      seen.push([tool, input, effect]);
      return { kind: 'allow' };
    },
  };
  await call(fine, 'mcp__lsp__old_sample', [guard]);
  expect(seen).toEqual([['sample', {}, 'reads']]);
});

test('arguments nobody knows are ignored, logged, and named in the answer', async () => {
  const records: LogRecord[] = [];
  const context = contextWith(new Log((record) => records.push(record)));
  const asked = { tools: [fine], guards: [], name: 'sample', arguments: { extra: 1 } };
  const result = await dispatch(context, asked, calm);
  expect(result.meta).toMatchObject({ ignored_parameters: ['extra'] });
  expect(records.map(({ level, event }) => `${level} ${event}`)).toEqual([
    'debug tool.arguments_ignored',
    'debug tool.called',
  ]);
});
