import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../base/log.ts';
import { WorkspaceRegistry } from '../live/workspace-registry.ts';
import { Sessions } from '../session/sessions.ts';
import { catalogue } from './catalogue.ts';
import { coreParameters } from './core-listing.ts';
import { dispatch } from './dispatch.ts';
import type { Guard } from './guard.ts';
import { OpenedDocuments } from './opened-documents.ts';
import { defineTool, type Tool } from './tool.ts';
import { contentOf, jsonResult } from './tool-result.ts';
import { searchTools } from './tool-search.ts';
import { toolsetOf } from './toolset.ts';

const workspaces = new WorkspaceRegistry({ definitions: [], poolSize: 1, env: {}, log: silentLog }).connect();
const context = {
  workspaces,
  sessions: new Sessions({ workspaces, log: silentLog }),
  log: silentLog,
  connection: { documents: new OpenedDocuments(), setLogLevel: () => {}, progress: () => {} },
};

function sample(name: string, description: string): Tool {
  return defineTool({
    name,
    title: name,
    effect: 'disk',
    description,
    input: z.object({ word: z.string() }),
    handle: async (_context, input) => jsonResult({ name, ...input }),
  });
}

const hidden = sample('format_document', 'Edits that put a file in order.');
const samples = [sample('preview_edit', 'What an edit breaks.'), hidden];

async function call(name: string, given: unknown, guards: readonly Guard[] = []): Promise<readonly string[]> {
  const { callable: tools } = toolsetOf('core', samples);
  const signal = new AbortController().signal;
  return contentOf(await dispatch(context, { tools, guards, name, arguments: given }, signal));
}

describe('toolsets', () => {
  test('full is the catalogue itself', () => {
    expect(toolsetOf('full', catalogue)).toEqual({ listed: catalogue, callable: catalogue });
  });

  test('core lists about a dozen tools of the catalogue, and the two that lead to the rest', () => {
    const { listed, callable } = toolsetOf('core', catalogue);
    expect(listed.map(({ name }) => name)).toEqual([
      ...Object.keys(coreParameters),
      'find_tool',
      'call_tool',
    ]);
    expect(callable).toHaveLength(catalogue.length + 2);
  });

  test('core lists only parameters that exist, and every required one', () => {
    for (const tool of toolsetOf('core', catalogue).listed) {
      const whole = catalogue.find(({ name }) => name === tool.name)?.inputSchema;
      if (whole === undefined) continue;
      const listed = Object.keys(tool.inputSchema.properties ?? {});
      const known = Object.keys(whole.properties ?? {});
      expect((coreParameters[tool.name] ?? []).filter((each) => !known.includes(each))).toEqual([]);
      expect((whole.required ?? []).filter((each) => !listed.includes(each))).toEqual([]);
    }
  });

  test('a tool that core lists in short takes all its parameters', () => {
    const [short] = toolsetOf('core', catalogue).listed.filter(({ name }) => name === 'find_references');
    const { input } = short?.prepare({ file_path: '/a.ts', include_declaration: true, max_tokens: 5 }) ?? {};
    expect(input).toMatchObject({ include_declaration: true, max_tokens: 5 });
  });
});

describe('call_tool', () => {
  test('calls a tool that is not listed', async () => {
    const answer = await call('call_tool', { name: 'format_document', arguments: { word: 'x' } });
    expect(answer).toEqual(['{"name":"format_document","word":"x"}']);
  });

  test('arguments may be JSON text, as for every object', async () => {
    const answer = await call('call_tool', { name: 'format_document', arguments: '{"word":"x"}' });
    expect(answer[0]).toBe('{"name":"format_document","word":"x"}');
  });

  test('guards are asked about the tool that acts', async () => {
    const seen: string[] = [];
    const guard: Guard = {
      decide: async ({ tool }) => {
        seen.push(tool);
        return { kind: 'deny', reason: `not ${tool}`, remedy: 'none' };
      },
    };
    const answer = await call('call_tool', { name: 'format_document', arguments: { word: 'x' } }, [guard]);
    expect([seen, answer[0]]).toEqual([['format_document'], 'not format_document']);
  });

  test.each<[string, unknown, string]>([
    ['an unknown tool', { name: 'nonsense' }, 'unknown tool: nonsense'],
    ['no name', {}, 'name is required'],
    ['itself', { name: 'call_tool' }, 'call_tool cannot call itself'],
    ['itself by a prefix', { name: 'mcp__x__call_tool' }, 'call_tool cannot call itself'],
    ['bad arguments of the tool', { name: 'format_document', arguments: {} }, 'word is required'],
  ])('%s is answered in a sentence', async (_what, given, sentence) => {
    expect((await call('call_tool', given))[0]).toBe(sentence);
  });
});

describe('find_tool', () => {
  test('answers schemas, so that what is found can be called', async () => {
    const [payload = ''] = await call('find_tool', { query: 'formatting a document' });
    expect(JSON.parse(payload)).toMatchObject({
      total: 2,
      tools: [{ name: 'format_document', input_schema: { required: ['word'] } }],
    });
  });

  test.each([
    ['preview an edit', 'preview_edit'],
    ['diagnostics of a file', 'get_diagnostics'],
    ['simulate_edit_atomic', 'preview_edit'],
    ['comparing sessions', 'compare_sessions'],
  ])('%s leads to %s', (query, expected) => {
    expect(searchTools(catalogue, query)[0]?.name).toBe(expected);
  });

  test('words nobody uses lead nowhere', () => {
    expect(searchTools(catalogue, 'zzz')).toEqual([]);
  });
});
