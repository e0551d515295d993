/** Imports and re-exports break with the symbol they name, so every tool that looks for uses counts them. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LanguageServer } from '../../src/lsp/language-server.ts';
import { ToolWorld } from '../support/tool-world.ts';

const files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], module: 'esnext', moduleResolution: 'bundler' },
    include: ['.'],
  }),
  'add.ts':
    'export function add(a: number): number;\nexport function add(a: string): string;\nexport function add(a: number | string): number | string {\n  return a;\n}\n',
  'barrel.ts': "export { add } from './add';\n",
  'renamed.ts': "export { add as plus } from './add';\n",
  'use.ts':
    "import { add } from './barrel';\nimport * as all from './add';\n\nexport const sum = (): number => add(1) + all.add(2);\n",
  'idle.ts': "import { add } from './add';\n\nexport const idle = 1;\n",
  'only.ts': 'export const forwarded = 1;\n',
  'forward.ts': "export { forwarded } from './only';\n",
  'alone.ts': 'export function alone(): number {\n  return 1;\n}\n',
};

let world: ToolWorld;
beforeAll(async () => {
  world = await ToolWorld.open(files);
});
afterAll(() => world[Symbol.asyncDispose]());

const symbolAt = (file: string, position_pattern: string) => ({
  file_path: world.at(file),
  position_pattern,
});

function places(json: unknown): readonly string[] {
  const text = JSON.stringify(json).replaceAll(`${world.world.root}/`, '');
  return [...text.matchAll(/"file":"([^"]+)","line":(\d+)/g)].map(([, file, line]) => `${file}:${line}`);
}

/** The methods a call asks its server for, in order. */
async function methodsOf(call: () => Promise<unknown>): Promise<readonly string[]> {
  const spy = vi.spyOn(LanguageServer.prototype, 'request');
  try {
    await call();
    return spy.mock.calls.map(([method]) => method);
  } finally {
    spy.mockRestore();
  }
}

const uses = ['barrel.ts:1', 'idle.ts:1', 'renamed.ts:1', 'use.ts:1', 'use.ts:4', 'use.ts:4'];

test('find_references lists imports and re-exports, and no overload of the symbol itself', async () => {
  const { json } = await world.call('find_references', symbolAt('add.ts', 'function @@add(a: number |'));
  expect(places(json)).toEqual(expect.arrayContaining(uses));
  expect(places(json).filter((place) => place.startsWith('add.ts'))).toEqual([]);
});

test('asked from a use, the declarations are left out all the same', async () => {
  const { json } = await world.call('find_references', symbolAt('use.ts', '@@add(1)'));
  expect(places(json)).toEqual(expect.arrayContaining(['barrel.ts:1', 'use.ts:1', 'use.ts:4']));
  expect(places(json).filter((place) => place.startsWith('add.ts'))).toEqual([]);
});

test('with the declaration, all of them are listed', async () => {
  const input = { ...symbolAt('add.ts', 'function @@add(a: number |'), include_declaration: true };
  const { json } = await world.call('find_references', input);
  expect(places(json)).toEqual(expect.arrayContaining([...uses, 'add.ts:1', 'add.ts:2', 'add.ts:3']));
});

test('blast_radius reaches files that only import or re-export', async () => {
  const { json } = await world.call('blast_radius', {
    changed_files: [world.at('add.ts'), world.at('only.ts')],
  });
  const answer = JSON.parse(JSON.stringify(json));
  expect(places(answer.non_test_callers)).toEqual(
    expect.arrayContaining(['barrel.ts:1', 'renamed.ts:1', 'idle.ts:1', 'use.ts:4', 'forward.ts:1']),
  );
});

test('safe_delete_symbol refuses what is only re-exported, and deletes what nothing names', async () => {
  const kept = await world.call('safe_delete_symbol', {
    file_path: world.at('only.ts'),
    symbol_path: 'forwarded',
  });
  expect(kept).toMatchObject({ isError: true, text: expect.stringContaining('symbol has 1 references') });
  const deleted = await world.call('safe_delete_symbol', {
    file_path: world.at('alone.ts'),
    symbol_path: 'alone',
  });
  expect(deleted.isError).toBe(false);
});

test('the workspace is searched once for each question', async () => {
  const input = symbolAt('only.ts', 'const @@forwarded');
  const found = await methodsOf(() => world.call('find_references', input));
  const deleted = await methodsOf(() =>
    world.call('safe_delete_symbol', { file_path: world.at('only.ts'), symbol_path: 'forwarded' }),
  );
  const reached = await methodsOf(() => world.call('blast_radius', { changed_files: [world.at('only.ts')] }));
  for (const methods of [found, deleted, reached]) {
    expect(methods.filter((method) => method === 'textDocument/references')).toHaveLength(1);
    expect(methods.filter((method) => method === 'textDocument/definition').length).toBeLessThanOrEqual(1);
  }
});
