/** One workspace of three languages: every question goes to the server of its file, and to no other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { payloadOf } from '../support/result-schema.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { scriptedServerCommand } from '../support/scripted.ts';

const hasJsonServer = isOnPath('vscode-json-language-server');
const jsonServer = hasJsonServer ? 'vscode-json-language-server' : 'a scripted server for .json';

const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 8 } };
const scripted = scriptedServerCommand({
  diagnostics: 'push',
  capabilities: { documentSymbolProvider: true },
  results: { 'textDocument/documentSymbol': [{ name: 'amount', kind: 7, range, selectionRange: range }] },
});

/** The line on which every file has its error, from zero. */
const errorLine = 2;

const files = {
  'package.json': '{}\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], noEmit: true },
    include: ['*.ts'],
  }),
  'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
  'till.ts': 'export const amount: number = 1;\n\nexport const label: string = 7;\n',
  'till.py': 'amount: int = 1\n\nlabel: str = 7\n',
  // Wrong for a server of JSON, and in the one word a scripted server takes for an error.
  'till.json': '{\n  "amount": 1,\n  "label": ERROR(7)\n}\n',
  'servers.json': JSON.stringify({
    servers: [{ extensions: ['json'], language_id: 'json', command: scripted }],
  }),
};

interface Expected {
  readonly file: 'till.ts' | 'till.py' | 'till.json';
  readonly title: string;
  /** Whose diagnostics they are. */
  readonly source: RegExp;
  readonly symbols: readonly string[];
  /** What hovering over `amount` tells; without a schema a server of JSON has nothing to tell of a key. */
  readonly hover?: RegExp;
  /** Breaks the line of `amount`, in the eyes of the server of this name. */
  readonly breaking: { readonly replace: string; readonly with: string; readonly server: RegExp };
}

const table: readonly Expected[] = [
  {
    file: 'till.ts',
    title: 'TypeScript',
    source: /^ts$/,
    symbols: ['amount', 'label'],
    hover: /const amount: number/,
    breaking: { replace: '= 1', with: "= 'x'", server: /^typescript/ },
  },
  {
    file: 'till.py',
    title: 'Python',
    source: /^Pyright$/,
    symbols: ['amount', 'label'],
    hover: /\(variable\) amount/,
    breaking: { replace: '= 1', with: "= 'x'", server: /^pyright/ },
  },
  {
    file: 'till.json',
    title: `JSON (${jsonServer})`,
    source: hasJsonServer ? /^json/ : /^scripted$/,
    symbols: ['amount'],
    ...(!hasJsonServer && { hover: /"amount": 1/ }),
    breaking: { replace: ': 1', with: ': ERROR(8)', server: hasJsonServer ? /json/ : /^scripted$/ },
  },
];

let workspace: ScratchWorkspace;
let connection: McpConnection;

beforeAll(async () => {
  workspace = await ScratchWorkspace.create(files);
  const words = hasJsonServer ? [] : ['--merge-config', workspace.at('servers.json')];
  connection = await McpConnection.open({ words });
  for (const { file } of table) await ask('open_document', { file_path: workspace.at(file) });
});

afterAll(async () => {
  await connection?.[Symbol.asyncDispose]();
  await workspace?.[Symbol.asyncDispose]();
});

/** The answer to a call that must succeed, and be what its schema says. */
async function ask(tool: string, args: Readonly<Record<string, unknown>>): Promise<Answer> {
  const answer = await connection.call(tool, args);
  expect(answer.isError, answer.content.join('\n')).toBe(false);
  payloadOf(tool, answer.text);
  return answer;
}

/** What the edit that breaks a file would do. */
function preview({ file, breaking }: Expected): Promise<Answer> {
  const lines = files[file].split('\n');
  const line = lines.findIndex((each) => each.includes(breaking.replace));
  const column = (lines[line] ?? '').indexOf(breaking.replace);
  return ask('preview_edit', {
    file_path: workspace.at(file),
    start_line: line + 1,
    start_column: column + 1,
    end_line: line + 1,
    end_column: column + 1 + breaking.replace.length,
    new_text: breaking.with,
    timeout_ms: 30_000,
  });
}

describe.each(table)('$title', ({ file, source, symbols, hover }) => {
  test('the errors of the file are those of its own server', async () => {
    const { json } = await ask('get_diagnostics', { file_path: workspace.at(file) });
    expect(json).toEqual({
      [workspace.workspace.uri(workspace.workspace.path(file))]: [
        expect.objectContaining({
          source: expect.stringMatching(source),
          severity: 1,
          range: expect.objectContaining({ start: expect.objectContaining({ line: errorLine }) }),
        }),
      ],
    });
  });

  test('its symbols and the type of a name are told by its own server', async () => {
    const listed = await ask('list_symbols', { file_path: workspace.at(file) });
    const outline = Object.values(listed.json ?? {});
    expect(outline).toEqual(symbols.map((name) => expect.objectContaining({ name })));
    const place = { file_path: workspace.at(file), position_pattern: 'amoun@@t' };
    if (hover) expect((await ask('inspect_symbol', place)).text).toMatch(hover);
  });
});

test(`all three are open at once, with JSON served by ${jsonServer}`, async () => {
  const { json } = await ask('get_diagnostics', {});
  const uris = table.map(({ file }) => workspace.workspace.uri(workspace.workspace.path(file)));
  expect(Object.keys(json ?? {}).sort()).toEqual([...uris].sort());
  expect(Object.values(json ?? {})).toEqual(uris.map(() => [expect.objectContaining({ severity: 1 })]));
});

test('edits in all three at the same time are each judged by their own server', async () => {
  const answers = await Promise.all(table.map(preview));
  expect(answers.map(({ json }) => json)).toMatchObject(
    table.map(({ file, breaking }) => ({
      verdict: 'broken',
      errors_introduced: [{ file: workspace.at(file) }],
      server: { name: expect.stringMatching(breaking.server) },
    })),
  );
});

test('a name is looked for by every server that looks for names', async () => {
  const { text } = await ask('find_symbol', { query: 'amount' });
  for (const file of ['till.ts', 'till.py']) expect(text).toContain(workspace.at(file));
});

test('restarting one server leaves the others to answer', async () => {
  const python = { root_dir: workspace.workspace.root, language_id: 'python' };
  const [restarted, ...others] = await Promise.all([
    ask('restart_lsp_server', python),
    ...table
      .filter(({ title }) => title !== 'Python')
      .map(({ file }) => ask('list_symbols', { file_path: workspace.at(file) })),
  ]);
  expect(restarted.text).toContain('other servers are unaffected');
  for (const { text } of others) expect(text).toContain('"amount"');
});
