/** Long answers in parts: what `continue_with` names leads to the end, and every item comes once on the way. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../src/tools/catalogue.ts';
import { leavesIn } from '../support/answer-leaf.ts';
import { commitAll, gitIn } from '../support/git-workspace.ts';
import { type ToolAnswer, ToolWorld } from '../support/tool-world.ts';

type Arguments = Readonly<Record<string, unknown>>;

const count = 12;
const numbers = Array.from({ length: count }, (_, index) => index);

const files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], module: 'preserve', types: [] },
  }),
  'math.ts': `/** ${'Adds two numbers. '.repeat(30)} */\nexport function add(a: number, b: number): number {\n${numbers
    .map((n) => `  const step${n} = a + ${n} + ${'b + '.repeat(20)}0;\n`)
    .join('')}  return a + b;\n}\n`,
  'use.ts': `import { add } from './math';\n\n${numbers
    .map((n) => `export function use${n}(): number {\n  return add(${n}, ${n});\n}\n`)
    .join(
      '',
    )}\nexport function all(): number {\n  return ${numbers.map((n) => `use${n}()`).join(' + ')};\n}\n`,
  'shape.ts': `export class Shape {\n  area = 0;\n}\n${numbers.map((n) => `export class Shape${n} extends Shape {}\n`).join('')}`,
  'wrong.ts': numbers.map((n) => `export const wrong${n}: string = ${n};\n`).join(''),
};

let world: ToolWorld;
let sessions: readonly string[];

beforeAll(async () => {
  world = await ToolWorld.open(files);
  const { root } = world.world;
  await commitAll(root);
  for (const n of numbers) await gitIn(root, 'branch', `side${n}`);
  sessions = [];
  for (const n of numbers.slice(0, 4)) {
    const created = await world.call('create_simulation_session', {
      workspace_root: root,
      language: 'typescript',
    });
    const { session_id } = Object(created.json);
    const edit = { ...breaking(), session_id };
    const edited = await world.call(
      'simulate_edit',
      n === 0 ? edit : { ...edit, new_text: `add(a: number, c${n}: number` },
    );
    expect(edited).toMatchObject({ isError: false });
    sessions = [...sessions, session_id];
  }
  await world.world.write('use.ts', `${files['use.ts']}\nexport const more = 1;\n`);
});

afterAll(() => world[Symbol.asyncDispose]());

const at = (path: string, line: number, column: number): Arguments => ({
  file_path: world.at(path),
  line,
  column,
});
const declaration = (): Arguments => at('math.ts', 2, 17);
const everything = (path: string): Arguments => ({
  file_path: world.at(path),
  start_line: 1,
  start_column: 1,
  end_line: 14,
  end_column: 1,
});
/** Every call of the function becomes an error. */
const breaking = (): Arguments => ({
  file_path: world.at('math.ts'),
  old_text: 'add(a: number, b: number',
  new_text: 'add(a: string, b: number',
});

const calls: Readonly<Record<string, () => Arguments>> = {
  preview_edit: () => ({ ...breaking(), scope: 'workspace' }),
  simulate_chain: () => ({ workspace_root: world.world.root, language: 'typescript', edits: [breaking()] }),
  simulate_command: () => ({ session_id: sessions[0], command: 'seq 1 1500' }),
  evaluate_session: () => ({ session_id: sessions[0], scope: 'workspace' }),
  compare_sessions: () => ({ session_ids: sessions, scope: 'workspace' }),
  compose_sessions: () => ({ session_ids: sessions.slice(0, 2) }),
  preview_merge: () => ({
    sides: numbers.slice(0, 4).map((n) => `side${n}`),
    workspace_root: world.world.root,
  }),
  get_diagnostics: () => ({ file_path: world.at('wrong.ts') }),
  inspect_symbol: declaration,
  explore_symbol: declaration,
  get_editing_context: () => ({ file_path: world.at('use.ts') }),
  list_symbols: () => ({ file_path: world.at('use.ts') }),
  get_symbol_source: () => at('math.ts', 3, 3),
  get_symbol_documentation: () => ({
    symbol: 'add',
    language_id: 'typescript',
    file_path: world.at('math.ts'),
  }),
  get_completions: () => at('use.ts', 4, 10),
  get_inlay_hints: () => everything('use.ts'),
  get_semantic_tokens: () => everything('math.ts'),
  go_to_definition: () => at('use.ts', 4, 10),
  go_to_type_definition: () => at('shape.ts', 4, 30),
  go_to_implementation: () => at('shape.ts', 1, 14),
  go_to_declaration: () => at('use.ts', 4, 10),
  go_to_symbol: () => ({ symbol_path: 'use1' }),
  find_symbol: () => ({ query: 'use' }),
  find_references: declaration,
  find_callers: declaration,
  type_hierarchy: () => at('shape.ts', 1, 14),
  get_document_highlights: () => at('use.ts', 1, 10),
  blast_radius: () => ({ changed_files: [world.at('math.ts'), world.at('use.ts')] }),
  detect_changes: () => ({ workspace_root: world.world.root }),
  get_cross_repo_references: () => ({
    symbol_file: world.at('math.ts'),
    line: 2,
    column: 17,
    consumer_roots: [world.world.root],
  }),
};

/** One item is the whole answer. */
const single: ReadonlySet<string> = new Set([
  'go_to_definition',
  'go_to_declaration',
  'go_to_type_definition',
  'go_to_symbol',
]);

/** Keeps the end of what a command printed, not its beginning: a greater budget shows more. */
const endKept = 'simulate_command';

test('every tool that takes a budget is here', () => {
  const budgeted = catalogue.filter(({ inputSchema }) => 'max_tokens' in (inputSchema.properties ?? {}));
  const names = budgeted.map(({ name }) => name).filter((name) => name !== 'continue_answer');
  expect(Object.keys(calls).sort()).toEqual(names.sort());
});

test.each(Object.keys(calls).filter((name) => name !== endKept))('%s', async (name) => {
  const args = calls[name]?.() ?? {};
  const whole = await world.call(name, { ...args, max_tokens: 1_000_000 });
  expect(whole).toMatchObject({ isError: false });
  expect(whole.meta).not.toHaveProperty('truncated');
  const max_tokens = Math.ceil(whole.text.length / 4 / 5);
  const parts = [await world.call(name, { ...args, max_tokens })];
  for (let next = continuation(parts[0]); next; next = continuation(parts.at(-1))) {
    const { tool = name, ...more } = next;
    const given = tool === name ? { ...args, ...more } : more;
    parts.push(await world.call(String(tool), { ...given, max_tokens }));
  }
  if (!single.has(name)) expect(parts.length).toBeGreaterThan(1);
  expect(parts.flatMap(itemsOf).sort()).toEqual(itemsOf(whole).sort());
  expect(parts.map(longTexts).join('')).toBe(longTexts(whole));
});

test('of a long output the end is kept, and the answer says that it was cut', async () => {
  const part = await world.call(endKept, { ...calls[endKept]?.(), max_tokens: 200 });
  expect(part.json).toMatchObject({ output_truncated: true, stdout: expect.stringMatching(/1500\n?$/) });
  expect(part.meta).toMatchObject({ truncated: { max_tokens: 200 } });
  const whole = await world.call(endKept, { ...calls[endKept]?.(), max_tokens: 100_000 });
  expect(whole.json).toMatchObject({ stdout: expect.stringMatching(/^1\n2\n/) });
});

function continuation(part: ToolAnswer | undefined): Readonly<Record<string, unknown>> | undefined {
  return Object(part?.meta.truncated).continue_with;
}

function itemsOf({ json }: ToolAnswer): string[] {
  return leavesIn(json);
}

/** A text that was cut ends with an ellipsis. */
function longTexts({ json, text, meta }: ToolAnswer): string {
  const isCut = meta.truncated !== undefined;
  if (json === undefined) return isCut ? text.slice(0, -1) : text;
  return '';
}
