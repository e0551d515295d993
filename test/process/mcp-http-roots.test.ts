/** `--root`: every way a client can name a path, tried against a workspace that is not served. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { HttpDoor } from '../support/http-door.ts';
import { runInProcess } from '../support/in-process-program.ts';
import { textOf } from '../support/tool-text.ts';
import { describeTree } from '../support/tree-hash.ts';

/** Stands only in files outside the served roots. */
const marker = 'planted_outside_4711';

let served: Fixture;
let outside: Fixture;
let door: HttpDoor;
let client: Client;
let before: readonly string[];

beforeAll(async () => {
  [served, outside] = await Promise.all([openFixture('ts-two-modules'), openFixture('ts-two-modules')]);
  await outside.write('secret.ts', `export const ${marker} = 1;\n`);
  await mkdir(join(served.root, 'packages', 'inner'), { recursive: true });
  await writeFile(served.file('packages/inner/package.json'), '{"name":"inner"}');
  await writeFile(served.file('packages/inner/index.ts'), 'export const inner: number = 1;\n');
  await symlink(outside.root, served.file('link'));
  await symlink(outside.file('secret.ts'), served.file('link.ts'));
  before = await describeTree(outside.root);
  door = await HttpDoor.open({ roots: [served.root] });
  client = await door.client();
});

afterAll(async () => {
  await door[Symbol.asyncDispose]();
  await Promise.all([served[Symbol.asyncDispose](), outside[Symbol.asyncDispose]()]);
});

const insertion = { start_line: 1, start_column: 1, end_line: 1, end_column: 1, new_text: 'x' };
const file = { line: 1, column: 14, language_id: 'typescript' };

/** Every parameter that names a file, a directory or a root, by the tool that takes it. */
const byFile: readonly [string, string, Readonly<Record<string, unknown>>][] = [
  'inspect_symbol explore_symbol get_symbol_source get_completions get_signature_help go_to_definition',
  'go_to_type_definition go_to_implementation go_to_declaration find_references find_callers type_hierarchy',
  'get_document_highlights list_symbols get_editing_context get_diagnostics suggest_fixes prepare_rename',
  'get_inlay_hints get_semantic_tokens format_document get_tests_for_file open_document close_document',
  'get_server_capabilities',
]
  .flatMap((line) => line.split(' '))
  .map((name) => [
    name,
    'file_path',
    { ...file, start_line: 1, start_column: 1, end_line: 1, end_column: 2 },
  ]);

const byEdit: readonly [string, string, Readonly<Record<string, unknown>>][] = [
  [
    'preview_edit',
    'file_path',
    { start_line: 1, start_column: 1, end_line: 1, end_column: 1, new_text: 'x' },
  ],
  ['safe_apply_edit', 'file_path', { old_text: marker, new_text: 'x' }],
  ['apply_edit', 'file_path', { old_text: marker, new_text: 'x' }],
  ['rename_symbol', 'file_path', { ...file, new_name: 'renamed' }],
  ['replace_symbol_body', 'file_path', { symbol_path: marker, new_body: '2' }],
  ['insert_after_symbol', 'file_path', { symbol_path: marker, code: 'x' }],
  ['safe_delete_symbol', 'file_path', { symbol_path: marker }],
  ['execute_command', 'file_path', { command: '_typescript.organizeImports' }],
  ['get_cross_repo_references', 'symbol_file', { ...file, consumer_roots: ['/'] }],
  ['get_symbol_documentation', 'file_path', { symbol: marker, language_id: 'typescript' }],
];

const byRoot: readonly [string, string, Readonly<Record<string, unknown>>][] = [
  ['start_lsp', 'root_dir', {}],
  ['restart_lsp_server', 'root_dir', {}],
  ['undo_last_commit', 'root_dir', {}],
  ['create_simulation_session', 'workspace_root', { language: 'typescript' }],
  [
    'simulate_chain',
    'workspace_root',
    { language: 'typescript', edits: [{ file_path: 'math.ts', ...insertion }] },
  ],
  ['go_to_symbol', 'workspace_root', { symbol_path: marker, language: 'typescript' }],
  ['detect_changes', 'workspace_root', {}],
  ['run_build', 'workspace_dir', {}],
  ['run_tests', 'workspace_root', {}],
  ['detect_lsp_servers', 'workspace_dir', {}],
  ['add_workspace_folder', 'path', {}],
];

async function call(name: string, args: Readonly<Record<string, unknown>>) {
  const answer = await client.callTool({ name, arguments: { ...args } });
  const said = JSON.stringify(answer.content);
  expect(said.replaceAll(JSON.stringify(args), '')).not.toContain(`${marker} = 1`);
  return { isError: answer.isError === true, said, text: textOf(answer) };
}

const refusal = /outside the served roots|outside workspace root/;

describe('with one workspace open', () => {
  beforeAll(() => call('start_lsp', { root_dir: served.root, language_id: 'typescript' }));

  test.each([...byFile, ...byEdit])('%s refuses a file outside by %s', async (name, parameter, args) => {
    const spellings = [
      outside.file('secret.ts'),
      `file://${outside.file('secret.ts')}`,
      served.file('link.ts'),
      served.file('link/secret.ts'),
      `${served.root}/../${outside.root.slice(outside.root.lastIndexOf('/') + 1)}/secret.ts`,
    ];
    for (const spelling of spellings) {
      const { isError, said } = await call(name, { ...args, [parameter]: spelling });
      expect([spelling, isError, said]).toEqual([spelling, true, expect.stringMatching(refusal)]);
    }
  });

  test.each([...byRoot])('%s refuses a directory outside by %s', async (name, parameter, args) => {
    const above = served.root.slice(0, served.root.lastIndexOf('/'));
    for (const spelling of [outside.root, served.file('link'), above, '/', `${outside.root}/not-there`]) {
      const { isError, said } = await call(name, { ...args, [parameter]: spelling });
      expect([spelling, isError]).toEqual([spelling, true]);
      expect(said).toContain('workspace/root-not-served');
      expect(said).toContain('--root');
    }
  });

  test('repositories outside are not searched for uses', async () => {
    const args = { symbol_file: served.file('math.ts'), line: 1, column: 17, consumer_roots: [outside.root] };
    const { isError, text } = await call('get_cross_repo_references', args);
    expect(isError).toBe(false);
    expect(JSON.parse(text).warnings).toEqual([expect.stringMatching(refusal)]);
    expect(JSON.parse(text).consumer_references).toEqual({ [outside.root]: [] });
  });

  test.each<[string, string]>([
    ['export_cache', 'dest_path'],
    ['import_cache', 'src_path'],
  ])('%s refuses a file outside', async (name, parameter) => {
    for (const path of [outside.file('cache.db.gz'), 'link/cache.db.gz', '../cache.db.gz']) {
      const { isError, said } = await call(name, { [parameter]: path });
      expect([path, isError, said]).toEqual([path, true, expect.stringMatching(refusal)]);
    }
  });

  test('a session is not written to a directory outside', async () => {
    const created = await call('create_simulation_session', {
      workspace_root: served.root,
      language: 'typescript',
    });
    const { session_id } = JSON.parse(created.text);
    const edit = { start_line: 1, start_column: 1, end_line: 1, end_column: 1, new_text: '// x\n' };
    const escaping = await call('simulate_edit', { session_id, file_path: served.file('link.ts'), ...edit });
    expect(escaping.isError).toBe(true);
    await call('simulate_edit', { session_id, file_path: served.file('math.ts'), ...edit });
    for (const target of [outside.root, 'link', '../elsewhere']) {
      expect((await call('commit_session', { session_id, target })).said).toMatch(refusal);
    }
  });

  test('an edit of files outside is refused as a whole', async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const edits = [{ range, newText: '// x\n' }];
    const changes = {
      [`file://${served.file('app.ts')}`]: edits,
      [`file://${outside.file('secret.ts')}`]: edits,
    };
    expect((await call('apply_edit', { workspace_edit: { changes } })).said).toMatch(refusal);
    expect(await served.read('app.ts')).not.toContain('// x');
  });

  test('the impact of files outside is not measured', async () => {
    const { said } = await call('blast_radius', { changed_files: [outside.file('secret.ts')] });
    expect(said).not.toContain(`"${marker}"`);
    expect(said).toMatch(refusal);
  });

  test('a command of a server is not handed a path outside, at any depth', async () => {
    for (const path of [outside.file('secret.ts'), `file://${outside.file('secret.ts')}`, '../x/secret.ts']) {
      const args = { command: '_typescript.organizeImports', arguments: [{ deep: [path] }] };
      const { isError, said } = await call('execute_command', { ...args, language_id: 'typescript' });
      expect([path, isError, said]).toEqual([path, true, expect.stringMatching(refusal)]);
    }
  });

  test.each<string>(['lsp-diagnostics', 'lsp-hover', 'lsp-completions'])(
    'the resource %s refuses a file outside',
    async (scheme) => {
      const uri = `${scheme}://${outside.file('secret.ts')}?line=1&column=14&language_id=typescript`;
      await expect(client.readResource({ uri })).rejects.toThrow(refusal);
    },
  );
});

test('a connection that has opened nothing does not infer a workspace outside', async () => {
  const fresh = await door.client();
  const args = { file_path: outside.file('math.ts') };
  const answer = await fresh.callTool({ name: 'get_diagnostics', arguments: args });
  expect(JSON.stringify(answer.content)).toContain('workspace/root-not-served');
});

test('a directory below a served root is served, also by another spelling', async () => {
  const fresh = await door.client();
  const inner = { root_dir: `${served.root}/packages/../packages/inner`, language_id: 'typescript' };
  expect((await fresh.callTool({ name: 'start_lsp', arguments: inner })).isError).toBeFalsy();
  const asked = { name: 'get_diagnostics', arguments: { file_path: served.file('packages/inner/index.ts') } };
  expect((await fresh.callTool(asked)).isError).toBeFalsy();
});

test('the root of a file without a marker is the served root, never a directory above it', async () => {
  await using plain = await openFixture('ts-two-modules');
  await mkdir(plain.file('docs'));
  await plain.write('docs/note.ts', 'export const note: number = 1;\n');
  await using narrow = await HttpDoor.open({ roots: [plain.file('docs')] });
  const fresh = await narrow.client();
  const asked = { name: 'get_diagnostics', arguments: { file_path: plain.file('docs/note.ts') } };
  expect((await fresh.callTool(asked)).isError).toBeFalsy();
  expect(narrow.forerun.registry.all.map(({ workspace }) => workspace.root)).toEqual([plain.file('docs')]);
});

test('nothing outside was changed by any of this', async () => {
  expect(await describeTree(outside.root)).toEqual(before);
});

test('the program does not start on a root that is not there', async () => {
  const words = ['mcp', '--http', '--no-auth', '--root', join(served.root, 'not-there')];
  const { code, stderr } = await runInProcess(words);
  expect(code).toBe(1);
  expect(stderr).toContain('is not a directory');
});
