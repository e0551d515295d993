import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { asFailure } from './failure.ts';
import { flag, humanRange, text, whole, word } from './parameter.ts';
import { defineTool, type Effect, type Tool } from './tool.ts';
import { jsonResult } from './tool-result.ts';

const sample: Tool = defineTool({
  name: 'sample',
  title: 'Sample',
  effect: 'reads',
  description: 'A tool with one parameter of each kind.',
  input: z.object({
    name: word('A name.'),
    count: whole('A count.'),
    body: text('A text.').optional(),
    force: flag('A flag.').optional(),
    mode: z.enum(['a', 'b']).describe('A choice.').optional(),
    edits: z
      .array(z.object({ file_path: word('A file.'), line: whole('A line.') }))
      .describe('A list.')
      .optional(),
  }),
  async handle(_context, input) {
    return jsonResult(input);
  },
});

function read(raw: unknown): unknown {
  try {
    return sample.prepare(raw).input;
  } catch (thrown) {
    return asFailure(thrown).message;
  }
}

describe('arguments', () => {
  const valid = { name: 'x', count: 1 };
  test.each<[string, unknown, unknown]>([
    ['a missing string is told by name', { count: 1 }, 'name is required'],
    ['an empty required string counts as missing', { name: '', count: 1 }, 'name is required'],
    ['a missing number is told in its own form', { name: 'x' }, 'count: missing required argument "count"'],
    ['null stands for absent', { ...valid, body: null }, valid],
    ['a required null is missing', { name: null, count: 1 }, 'name is required'],
    ['a numeric string is a number', { ...valid, count: '7' }, { name: 'x', count: 7 }],
    ['a fraction is cut off', { ...valid, count: 7.9 }, { name: 'x', count: 7 }],
    ['a word is no number', { ...valid, count: 'seven' }, 'count must be a number'],
    ['a number is no string', { ...valid, name: 3 }, 'name must be a string'],
    ['true may be spelled', { ...valid, force: 'true' }, { ...valid, force: true }],
    ['a choice names its values', { ...valid, mode: 'c' }, 'mode must be one of: a, b'],
    ['an empty text is a text', { ...valid, body: '' }, { ...valid, body: '' }],
    [
      'a list may be JSON text',
      { ...valid, edits: '[{"file_path":"f","line":"2"}]' },
      { ...valid, edits: [{ file_path: 'f', line: 2 }] },
    ],
    [
      'an item is told by its place',
      { ...valid, edits: [{ file_path: 'f', line: 1 }, { line: 1 }] },
      'edit[1]: file_path is required',
    ],
    ['an item that is no object is told', { ...valid, edits: [1] }, 'edit[0] must be an object'],
    ['no arguments are an empty object', undefined, 'name is required'],
    ['a list is no object', [], 'arguments must be an object'],
  ])('%s', (_promise, raw, expected) => {
    expect(read(raw)).toEqual(expected);
  });

  test('unknown properties are reported and change nothing', () => {
    const prepared = sample.prepare({ ...valid, extra: 1, __proto__: null });
    expect(prepared.ignored).toEqual(['extra']);
    expect(prepared.input).toEqual(valid);
  });

  test('whatever is sent is read or refused in a sentence, never anything else', () => {
    const values = fc.dictionary(
      fc.constantFrom('name', 'count', 'body', 'force', 'mode', 'edits', 'other', '__proto__', 'constructor'),
      fc.anything(),
    );
    fc.assert(fc.property(fc.oneof(values, fc.anything()), (raw) => void read(raw)));
  });
});

describe('the input schema', () => {
  test('holds scalar types only and nothing a strict client would stumble over', () => {
    const ranged = defineTool({
      name: 'ranged',
      title: 'Ranged',
      effect: 'overlay',
      description: 'A tool with a range.',
      input: z.object({ ...humanRange }),
      handle: async () => jsonResult({}),
    });
    expect(JSON.stringify([sample.inputSchema, ranged.inputSchema])).not.toMatch(
      /anyOf|oneOf|\$schema|additional|minimum/,
    );
    expect(sample.inputSchema).toMatchObject({ type: 'object', required: ['name', 'count'] });
  });
});

describe('annotations follow from the effect', () => {
  test.each([
    ['reads', { readOnly: true, destructive: false }],
    ['overlay', { readOnly: false, destructive: false }],
    ['disk', { readOnly: false, destructive: true }],
    ['process', { readOnly: false, destructive: false }],
  ] as const)('%s', (effect, expected) => {
    const tool = defineTool({
      name: 'x',
      title: 'X',
      effect,
      description: '',
      input: z.object({}),
      handle: async () => jsonResult({}),
    });
    expect(tool.annotations).toMatchObject(expected);
  });
});

describe('what a call touches', () => {
  const input = z.object({ dry_run: flag('').optional(), apply: flag('').optional() });
  const common = { name: 'x', title: 'X', description: '', input, handle: async () => jsonResult({}) };

  test.each<[effect: Effect, given: object, touched: Effect]>([
    ['disk', {}, 'disk'],
    ['disk', { dry_run: true }, 'reads'],
    ['disk', { dry_run: false }, 'disk'],
    ['process', { dry_run: true }, 'process'],
    ['reads', {}, 'reads'],
    ['reads', { apply: false }, 'reads'],
    ['reads', { apply: true }, 'disk'],
  ])('%s with %j is %s', (effect, given, touched) => {
    expect(defineTool({ ...common, effect }).prepare(given).effect).toBe(touched);
  });

  test('a tool may decide it from its input', () => {
    const tool = defineTool({
      ...common,
      effect: 'disk',
      effectOf: ({ apply }) => (apply ? 'disk' : 'overlay'),
    });
    expect([tool.prepare({}).effect, tool.prepare({ apply: true }).effect]).toEqual(['overlay', 'disk']);
  });

  test('a tool that reads unless told to apply is not announced as one that only reads', () => {
    expect(defineTool({ ...common, effect: 'reads' }).annotations.readOnly).toBe(false);
  });
});
