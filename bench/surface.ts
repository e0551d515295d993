/**
 * `npm run bench -- surface`: what the tools that read code cost on top of the requests they rest on, and how much
 * reading of files they spare.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Position, Range } from '../src/text/position.ts';
import { tokensOf } from '../src/tools/tool-result.ts';
import { type Answer, McpConnection } from '../test/support/mcp-connection.ts';
import type { Bench, Line } from './bench.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { measurementOf, type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { RawServer } from './support/raw-server.ts';
import { rangeOf } from './support/sample-edit.ts';

export const bench: Bench = {
  name: 'surface',
  claim:
    'tools that read code are measured beside the requests they rest on, and their answers beside the files they speak of',
  goal: { kind: 'none' },
  async *run(context, signal) {
    const workspace = await context.generated('typescript');
    context.progress('warming two servers');
    await using raw = await RawServer.start(workspace, 'pull', signal);
    await raw.open(workspace.coreChange.path);
    await using connection = await McpConnection.open({ words: ['--log-level', 'error'] });
    await connection.call('start_lsp', { root_dir: workspace.root, language_id: 'typescript' });
    const sides: Sides = { workspace, connection, raw, signal };
    yield await referencesLine(sides);
    yield await symbolsLine(sides);
    yield* impactLines(sides);
    for (const reading of readingsOf(workspace)) yield await readingLine(sides, reading);
  },
};

interface Sides {
  readonly workspace: GeneratedWorkspace;
  readonly connection: McpConnection;
  readonly raw: RawServer;
  readonly signal: AbortSignal;
}

/** The raw requests have no budget of tokens either. */
const wholeAnswer = { max_tokens: 1_000_000 } as const;

async function referencesLine({ workspace, connection, raw, signal }: Sides): Promise<Line> {
  const { path, position } = coreFunction(workspace);
  const found = { ours: new Set<number>(), beside: new Set<number>() };
  const compared = await sampleInTurn(
    {
      ours: called(
        connection,
        'find_references',
        { ...placeArguments(workspace, path, position), ...wholeAnswer },
        (answer) => found.ours.add(leavesIn(workspace, filesNamed(workspace, answer))),
      ),
      beside: asked(
        () => rawReferences(raw, path, position),
        (uris) => found.beside.add(leavesIn(workspace, uris)),
      ),
    },
    { warmUp: 5, rounds: 50 },
    signal,
  );
  const wanted = workspace.leaves.length;
  const isWhole = [...found.ours, ...found.beside].every((count) => count === wanted);
  return {
    kind: 'measured',
    what: `find_references of a symbol with ${wanted} dependents`,
    ours: compared.ours,
    beside: { what: 'raw references', measurement: compared.beside },
    note: `found in ${[...found.ours].join(', ')} of ${wanted}`,
    ...(!isWhole && { shortfall: `not every answer found all ${wanted}` }),
  };
}

async function symbolsLine({ workspace, connection, raw, signal }: Sides): Promise<Line> {
  const { path } = workspace.breaking;
  await raw.open(path);
  const compared = await sampleInTurn(
    {
      ours: called(connection, 'list_symbols', fileArguments(workspace, path)),
      beside: asked(() => rawSymbols(raw, raw.uri(path))),
    },
    { warmUp: 20, rounds: 200 },
    signal,
  );
  return {
    kind: 'measured',
    what: 'list_symbols of a module',
    ours: compared.ours,
    beside: { what: 'raw documentSymbol', measurement: compared.beside },
  };
}

/** The tool also says which function each use stands in, so it outlines every file it names; hence the second line. */
async function* impactLines(sides: Sides): AsyncGenerator<Line> {
  const { workspace, raw } = sides;
  const { path } = workspace.coreChange;
  yield await impactLine(sides, 'raw documentSymbol, then references of each symbol', async () => {
    const symbols = await rawSymbols(raw, raw.uri(path));
    for (const { selectionRange } of symbols) await rawReferences(raw, path, selectionRange.start);
    return symbols.length;
  });
  for (const leaf of workspace.leaves) await raw.open(leaf);
  yield await impactLine(sides, 'the same raw, then documentSymbol of each file found', async () => {
    const symbols = await rawSymbols(raw, raw.uri(path));
    const files = new Set<string>();
    for (const { selectionRange } of symbols) {
      for (const uri of await rawReferences(raw, path, selectionRange.start)) files.add(uri);
    }
    for (const uri of files) await rawSymbols(raw, uri);
    return symbols.length;
  });
}

async function impactLine(
  { workspace, connection, signal }: Sides,
  what: string,
  oneByOne: () => Promise<number>,
): Promise<Line> {
  const symbols = { ours: new Set<number>(), beside: new Set<number>() };
  const found = new Set<number>();
  const args = { changed_files: [join(workspace.root, workspace.coreChange.path)], ...wholeAnswer };
  const compared = await sampleInTurn(
    {
      ours: called(connection, 'blast_radius', args, (answer) => {
        symbols.ours.add(listLength(answer.json?.changed_symbols));
        found.add(leavesIn(workspace, filesNamed(workspace, answer)));
      }),
      beside: asked(oneByOne, (count) => symbols.beside.add(count)),
    },
    { warmUp: 3, rounds: 20 },
    signal,
  );
  const wanted = workspace.leaves.length;
  const isWhole = [...found].every((count) => count === wanted);
  const counts = new Set([...symbols.ours, ...symbols.beside]);
  return {
    kind: 'measured',
    what: 'blast_radius of the core file',
    ours: compared.ours,
    beside: { what, measurement: compared.beside },
    note: `${[...symbols.ours].join(', ')} symbols, used in ${[...found].join(', ')} of ${wanted} files`,
    ...(!isWhole && { shortfall: `not every answer found all ${wanted}` }),
    ...(isWhole &&
      counts.size !== 1 && { shortfall: `the two sides asked about ${[...counts].join(' and ')} symbols` }),
  };
}

/** A call whose answer is compared with the files it speaks of. */
interface Reading {
  readonly what: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The file that was asked about. */
  readonly path: string;
}

function readingsOf(workspace: GeneratedWorkspace): readonly Reading[] {
  const core = workspace.coreChange.path;
  const { path, position } = totalFunction(workspace);
  const file = fileArguments(workspace, path);
  const at = placeArguments(workspace, path, position);
  const impact = { changed_files: [join(workspace.root, core)] };
  return [
    { what: 'list_symbols of a module', tool: 'list_symbols', args: file, path },
    { what: 'the same as an outline', tool: 'list_symbols', args: { ...file, format: 'outline' }, path },
    { what: 'get_symbol_source of a function in it', tool: 'get_symbol_source', args: at, path },
    { what: 'get_editing_context of it', tool: 'get_editing_context', args: file, path },
    { what: 'blast_radius of the core file', tool: 'blast_radius', args: impact, path: core },
  ];
}

async function readingLine({ workspace, connection }: Sides, reading: Reading): Promise<Line> {
  const { what, tool, args, path } = reading;
  const times: number[] = [];
  let tokens = 0;
  let files: ReadonlySet<string> = new Set();
  const call = called(connection, tool, args, (answer) => {
    tokens = tokensOf(answer.text);
    files = new Set([path, ...filesNamed(workspace, answer)]);
  });
  for (let round = 0; round < 9; round++) times.push(await call(round));
  const texts = await Promise.all([...files].map((each) => readFile(join(workspace.root, each), 'utf8')));
  const unread = tokensOf(texts.join(''));
  return {
    kind: 'measured',
    what: `tokens: ${what}`,
    ours: measurementOf(times.slice(1), 'ms'),
    note: `returns ${tokens}; reading the ${files.size} file(s) it speaks of takes ${unread}`,
  };
}

/** A call over MCP; reading its answer is not timed. */
function called(
  connection: McpConnection,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  note: (answer: Answer) => void = () => {},
): Sampler {
  return asked(
    () => connection.call(tool, args),
    (answer) => {
      if (answer.isError) throw new Error(`${tool} failed: ${answer.text}`);
      note(answer);
    },
  );
}

function asked<T>(ask: () => Promise<T>, note: (answer: T) => void = () => {}): Sampler {
  return async () => {
    const answers: T[] = [];
    const elapsedMs = await timed(async () => answers.push(await ask()));
    for (const answer of answers) note(answer);
    return elapsedMs;
  };
}

function coreFunction({ coreChange }: GeneratedWorkspace): { path: string; position: Position } {
  return { path: coreChange.path, position: rangeOf({ ...coreChange, replaces: 'label(value' }).start };
}

function totalFunction({ breaking }: GeneratedWorkspace): { path: string; position: Position } {
  return { path: breaking.path, position: rangeOf({ ...breaking, replaces: 'const limit' }).start };
}

function fileArguments({ root }: GeneratedWorkspace, path: string): Readonly<Record<string, unknown>> {
  return { file_path: join(root, path) };
}

function placeArguments(
  workspace: GeneratedWorkspace,
  path: string,
  { line, character }: Position,
): Readonly<Record<string, unknown>> {
  return { ...fileArguments(workspace, path), line: line + 1, column: character + 1 };
}

/** Files of the workspace that an answer names, relative to the root. */
function filesNamed({ root }: GeneratedWorkspace, { text }: Answer): readonly string[] {
  const named = text.split(`"${root}/`).slice(1);
  return [...new Set(named.map((rest) => rest.slice(0, rest.indexOf('"'))))];
}

function leavesIn({ root, leaves }: GeneratedWorkspace, named: readonly string[]): number {
  const files = new Set(named);
  return leaves.filter((leaf) => files.has(leaf) || files.has(pathToFileURL(join(root, leaf)).href)).length;
}

function listLength(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

interface RawSymbol {
  readonly kind: number;
  readonly selectionRange: Range;
  readonly children?: readonly RawSymbol[];
}

/** The files of the uses, one for each use. */
async function rawReferences(raw: RawServer, path: string, position: Position): Promise<readonly string[]> {
  const found = await raw.ask<readonly { uri: string }[] | null>('textDocument/references', {
    textDocument: { uri: raw.uri(path) },
    position,
    context: { includeDeclaration: false },
  });
  return (found ?? []).map(({ uri }) => uri);
}

/** The symbols of a file that others can name; what lies within a function is not among them. */
async function rawSymbols(raw: RawServer, uri: string): Promise<readonly RawSymbol[]> {
  const tree = await raw.ask<readonly RawSymbol[] | null>('textDocument/documentSymbol', {
    textDocument: { uri },
  });
  return nameable(tree ?? []);
}

function nameable(symbols: readonly RawSymbol[]): readonly RawSymbol[] {
  return symbols.flatMap((symbol) => [
    symbol,
    ...(symbol.kind === functionKind ? [] : nameable(symbol.children ?? [])),
  ]);
}

const functionKind = 12;
