/** Edits by quoted text, alone and in a list over several files: the same verdict as by position. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ToolWorld } from '../support/tool-world.ts';

let tools: ToolWorld;

beforeAll(async () => {
  tools = await ToolWorld.open({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, types: [] },
    }),
    'math.ts': 'export function add(a: number, b: number): number {\n  return a + b;\n}\n',
    'app.ts':
      "import { add } from './math';\n\nexport const three: number = add(1, 2);\nexport const four = add(2, 2);\n",
  });
});

afterAll(() => tools[Symbol.asyncDispose]());

const patience = { scope: 'workspace', timeout_ms: 60_000 };

async function preview(args: Readonly<Record<string, unknown>>) {
  const answer = await tools.call('preview_edit', { ...patience, ...args });
  expect(answer.isError, answer.text).toBe(false);
  const { errors_introduced, confidence } = JSON.parse(answer.text);
  return {
    errors: errors_introduced.map(({ file }: { file: string }) => file.split('/').at(-1)),
    confidence,
  };
}

test('a quoted passage is replaced, and judged like a range', async () => {
  const file_path = tools.at('math.ts');
  const quoted = await preview({ file_path, old_text: 'add(a: number', new_text: 'add(a: string' });
  const placed = await preview({
    file_path,
    start_line: 1,
    start_column: 21,
    end_line: 1,
    end_column: 30,
    new_text: 'a: string',
  });
  expect(quoted).toEqual(placed);
  expect(quoted.errors).toEqual(['app.ts', 'app.ts', 'math.ts']);
});

test('edits over several files are one change', async () => {
  const rename = { old_text: 'function add', new_text: 'function sum' };
  expect((await preview({ file_path: tools.at('math.ts'), ...rename })).errors).toEqual(['app.ts']);
  const everywhere = { file_path: tools.at('app.ts'), old_text: 'add', new_text: 'sum', replace_all: true };
  const whole = { file_path: tools.at('math.ts'), ...rename, edits: [everywhere] };
  expect(await preview(whole)).toEqual({ errors: [], confidence: 'high' });
  const listed = {
    file_path: tools.at('app.ts'),
    edits: [{ file_path: tools.at('math.ts'), ...rename }, everywhere],
  };
  expect(await preview(listed)).toEqual({ errors: [], confidence: 'high' });
});

test('a later edit quotes what an earlier one wrote; a chain says up to where it is safe', async () => {
  const file_path = tools.at('app.ts');
  const edits = [
    { file_path, old_text: 'add(1, 2)', new_text: 'add(1, 3)' },
    { file_path, old_text: 'add(1, 3)', new_text: 'add("1", 3)' },
  ];
  expect((await preview({ file_path, edits })).errors).toEqual(['app.ts']);
  const answer = await tools.call('simulate_chain', { ...patience, edits });
  expect(JSON.parse(answer.text)).toMatchObject({ safe_to_apply_through_step: 1 });
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['is not there', { old_text: 'nowhere', new_text: '' }, 'old_text was not found in app.ts'],
  ['occurs twice', { old_text: 'add(', new_text: '' }, 'old_text is ambiguous: it occurs 2 times'],
  ['has no replacement', { old_text: 'add(' }, 'new_text is required'],
])('a quote that %s is refused', async (_, edit, why) => {
  const answer = await tools.call('preview_edit', { file_path: tools.at('app.ts'), ...edit });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(why);
});
