import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../model/json-value.ts';
import { type AssistantMessage, type AssistantPart, toolCallsOf } from '../../model/message.ts';
import { toolkit } from '../toolkit.ts';
import { completedObject } from './json-scan.ts';
import { repairReply } from './repaired-reply.ts';
import { signOfUnemittedCall } from './unemitted-call.ts';

const tools = toolkit([], { assistance: 'full' });

function said(...content: readonly AssistantPart[]): AssistantMessage {
  return { role: 'assistant', content };
}

function malformed(name: string, text: string): AssistantPart {
  return { kind: 'tool-call', id: 'c1', name, input: { kind: 'malformed', text } };
}

describe('arguments without their end', () => {
  test('are finished exactly where only brackets are missing', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), fc.nat(), (object, cut) => {
        const whole = JSON.stringify(object);
        const text = whole.slice(0, cut % whole.length);
        const completed = completedObject(text);
        if (completed === undefined) return;
        // Completing JSON adds nothing but closing brackets.
        const written = JSON.stringify(completed).replace(/[\]}]+$/, '');
        expect(JSON.stringify(JSON.parse(whole))).toContain(written.replace(/[\]}]+$/, ''));
      }),
    );
    expect(completedObject('{"a": [1, {"b": "x"}')).toEqual({ a: [1, { b: 'x' }] });
    for (const text of ['{"a": "x', '{"a": 1', '{"a": tr', '{"a":', '{"a"', '', '{}', '[1']) {
      expect(completedObject(text), text).toBeUndefined();
    }
  });

  const readText = '{"file_path": "a.ts"';
  const writeText = '{"file_path": "a.ts", "content": "x"';
  test.each([
    ['a read that forgot a bracket', 'Read', readText, 'end', 'object'],
    ['a read at the limit', 'Read', readText, 'max-tokens', 'object'],
    ['a write that forgot a bracket', 'Write', writeText, 'tool-calls', 'object'],
    ['a write at the limit', 'Write', writeText, 'max-tokens', 'malformed'],
    ['a write cut inside its content', 'Write', '{"file_path": "a.ts", "content": "x', 'end', 'malformed'],
    ['what the tool would not accept', 'Write', '{"file_path": "a.ts"', 'end', 'malformed'],
    ['what is no JSON at all', 'Read', "{file_path: 'a.ts'}", 'end', 'malformed'],
  ] as const)('of %s', (_name, tool, text, stop, kind) => {
    const { message } = repairReply(
      { tools, assistance: 'full' },
      { message: said(malformed(tool, text)), stop },
    );
    expect(toolCallsOf(message)[0]?.input.kind).toBe(kind);
  });
});

test('a call made in thinking is heard where nothing else was said', () => {
  const thinking = {
    kind: 'thinking',
    text: 'Look.\n<tool_call>{"name":"Glob","arguments":{"pattern":"*"}}</tool_call>',
  } as const;
  const { message, origins } = repairReply(
    { tools, assistance: 'full' },
    { message: said(thinking), stop: 'end' },
  );
  expect(toolCallsOf(message)).toMatchObject([{ name: 'Glob' }]);
  expect([...origins.values()]).toEqual(['salvaged']);
  expect(
    toolCallsOf(
      repairReply(
        { tools, assistance: 'full' },
        { message: said(thinking, { kind: 'text', text: 'Hi' }), stop: 'end' },
      ).message,
    ),
  ).toEqual([]);
});

test('calls of one name are told apart', () => {
  const call = (value: JsonObject): AssistantPart => ({
    kind: 'tool-call',
    id: 'same',
    name: 'Glob',
    input: { kind: 'object', value },
  });
  const { message } = repairReply(
    { tools, assistance: 'full' },
    {
      message: said(call({ pattern: 'a' }), call({ pattern: 'b' })),
      stop: 'tool-calls',
    },
  );
  const [first, second] = toolCallsOf(message);
  expect(first?.id).toBe('same');
  expect(second?.id).toMatch(/^[0-9a-f]{9}$/);
});

test('a reply made as a call is what was said', () => {
  const reply: AssistantPart = {
    kind: 'tool-call',
    id: 'c',
    name: 'reply_to_user',
    input: { kind: 'object', value: { text: 'Hello.' } },
  };
  expect(
    repairReply({ tools, assistance: 'full' }, { message: said(reply), stop: 'tool-calls' }).message,
  ).toEqual(said({ kind: 'text', text: 'Hello.' }));
});

describe('an answer reads like a call that was never made', () => {
  const toolNames = tools.map(({ name }) => name);
  const sign = (text: string, asked = 'Add a test', hasRunTools = false) =>
    signOfUnemittedCall({ text, asked, hasRunTools, toolNames });
  test.each([
    ["I've added the test.", 'claim'],
    ['I have now renamed it everywhere.', 'claim'],
    ["I'll create the file now.", 'intent'],
    ['Sure. Let me read the file first.', 'intent'],
    ['Let me start by checking the module.', 'intent'],
    ['<tool_call>{"name": "Read", "arg', 'marks'],
    ['{"name": "Read", "arguments": {"path": 1}}', 'marks'],
    ['Let me explain: a port is a number.', undefined],
    ['Shall I create the file?', undefined],
    ["I'll create it. Is that right?", undefined],
    ['Use the Map type here.', undefined],
    ['The test is in app.test.ts.', undefined],
    ['', undefined],
  ])('%j: %s', (text, expected) => {
    expect(sign(text)).toBe(expected);
  });

  test('never when the user asked a question, nor by phrases once tools have run', () => {
    expect(sign("I'll read the file.", 'What is this?')).toBeUndefined();
    expect(sign("I've added the test.", 'Add a test', true)).toBeUndefined();
    expect(sign('[TOOL_CALLS]', 'Add a test', true)).toBe('marks');
  });
});
