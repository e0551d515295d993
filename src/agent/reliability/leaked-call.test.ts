import { describe, expect, test } from 'vitest';
import { toolkit } from '../toolkit.ts';
import { salvageCalls } from './leaked-call.ts';
import { acceptingTools } from './repaired-reply.ts';

const accept = acceptingTools(toolkit([], { assistance: 'full' }));
const read = { name: 'Read', input: { file_path: 'a.ts' } };

describe('a call is found in', () => {
  test.each<readonly [string, string]>([
    ['bare JSON', '{"name": "Read", "arguments": {"file_path": "a.ts"}}'],
    ['a fenced block', '```json\n{"name": "Read", "arguments": {"file_path": "a.ts"}}\n```'],
    ['a fence of another name', '```tool_code\nRead(file_path="a.ts")\n```'],
    ['parameters instead of arguments', '{"name": "Read", "parameters": {"file_path": "a.ts"}}'],
    ['arguments as text', '{"name": "Read", "arguments": "{\\"file_path\\": \\"a.ts\\"}"}'],
    [
      'the shape of a request',
      '{"tool_calls":[{"type":"function","function":{"name":"Read","arguments":"{\\"file_path\\":\\"a.ts\\"}"}}]}',
    ],
    ['tags', '<tool_call>\n{"name": "Read", "arguments": {"file_path": "a.ts"}}\n</tool_call>'],
    ['a tag that is not closed', '<tool_call>{"name": "Read", "arguments": {"file_path": "a.ts"}}'],
    ['function tags', '<function=Read>\n<parameter=file_path>\na.ts\n</parameter>\n</function>'],
    [
      'function tags in a tag',
      '<tool_call>\n<function=Read>\n<parameter=file_path>a.ts</parameter>\n</function>\n</tool_call>',
    ],
    [
      'invoke tags',
      '<function_calls>\n<invoke name="Read">\n<parameter name="file_path">a.ts</parameter>\n</invoke>\n</function_calls>',
    ],
    ['bracket marks', '[TOOL_CALLS] [{"name": "Read", "arguments": {"file_path": "a.ts"}}]'],
    ['bracket marks with a name', '[TOOL_CALLS]Read[ARGS]{"file_path": "a.ts"}'],
    ['bracket marks with a name alone', '[TOOL_CALLS]Read{"file_path": "a.ts"}'],
    ['a call with JSON', 'Read({"file_path": "a.ts"})'],
    ['a call with named arguments', "functions.Read(file_path='a.ts')"],
    ['a name in another case', '{"name": "read", "arguments": {"file_path": "a.ts"}}'],
  ])('%s', (_name, text) => {
    expect(salvageCalls(text, accept)).toEqual({ calls: [read], text: '' });
  });

  test('prose, which stays', () => {
    const text =
      'I will look.\n\n<tool_call>{"name":"Read","arguments":{"file_path":"a.ts"}}</tool_call>\n\nThen we see.';
    expect(salvageCalls(text, accept)).toEqual({ calls: [read], text: 'I will look.\n\nThen we see.' });
  });

  test('several places', () => {
    const one = '<tool_call>{"name":"Read","arguments":{"file_path":"a.ts"}}</tool_call>';
    expect(salvageCalls(`${one}\n${one}`, accept)?.calls).toEqual([read, read]);
  });
});

describe('no call is found in', () => {
  test.each<readonly [string, string]>([
    ['words', 'You could use the Read tool for that.'],
    ['another JSON', '```json\n{"name": "my-package", "version": "1.0.0"}\n```'],
    ['a tool nobody has', '{"name": "Launch", "arguments": {}}'],
    ['arguments that do not fit', '{"name": "Read", "arguments": {"path": "a.ts"}}'],
    ['JSON that is cut off', '<tool_call>{"name": "Read", "arguments": {"file_path": "a.'],
    ['a call in the middle of a line', 'First call Read(file_path="a.ts") and then go on.'],
    ['code that is no call of a tool', 'console.log("a.ts")'],
    [
      'two of which one is wrong',
      '<tool_call>{"name":"Read","arguments":{"file_path":"a"}}</tool_call><tool_call>{"name":"Read"}</tool_call>',
    ],
  ])('%s', (_name, text) => {
    expect(salvageCalls(text, accept)).toBeUndefined();
  });
});
