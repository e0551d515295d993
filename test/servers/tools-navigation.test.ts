/** Finding the way through code: on real servers, in process; once each over the wire. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languageCases } from '../support/language-case.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { type ToolAnswer, ToolWorld } from '../support/tool-world.ts';

const typescriptFiles = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      lib: ['es2023'],
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
    },
  }),
  'src/shape.ts': [
    'export interface Shape {',
    '  area(): number;',
    '}',
    '',
    'export class Square implements Shape {',
    '  constructor(readonly side: number) {}',
    '  area(): number {',
    '    return this.side * this.side;',
    '  }',
    '}',
    '',
    'export function measure(shape: Shape): number {',
    '  return shape.area();',
    '}',
    '',
    'export function unused(): void {}',
    '',
  ].join('\n'),
  'src/app.ts': [
    "import { measure, Square } from './shape';",
    '',
    'const square = new Square(2);',
    'export const total = measure(square) + measure(new Square(3));',
    '',
    'export function later(): void {',
    '  setTimeout(() => {',
    '    measure(square);',
    '  }, 1);',
    '}',
    '',
    'export function unused(): string {',
    "  return '';",
    '}',
    'unused();',
    '',
  ].join('\n'),
  'src/shape.test.ts':
    "import { Square } from './shape';\nexport class Holder {\n  measure(): number {\n    return new Square(1).area();\n  }\n}\n",
};

const pythonFiles = {
  'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
  'shapes.py':
    'class Square:\n    def area(self) -> int:\n        return 4\n\n\ndef measure(s: Square) -> int:\n    return s.area()\n',
  'main.py': 'from shapes import Square, measure\n\ntotal = measure(Square())\n',
};

/** A list of places as `file:line:column`, relative to the workspace. */
function places(world: ToolWorld, { json }: ToolAnswer): readonly string[] {
  if (!Array.isArray(json)) throw new Error(`no list: ${JSON.stringify(json)}`);
  return json.map(
    ({ file, line, column }) => `${String(file).replace(`${world.world.root}/`, '')}:${line}:${column}`,
  );
}

describe('on TypeScript', () => {
  let world: ToolWorld;
  beforeAll(async () => {
    world = await ToolWorld.open(typescriptFiles);
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const at = (file: string, position_pattern: string) => ({ file_path: world.at(file), position_pattern });

  test.each<[string, string, string, readonly string[]]>([
    ['go_to_definition', 'src/app.ts', 'total = @@measure', ['src/shape.ts:12:17']],
    ['go_to_type_definition', 'src/app.ts', 'measure(@@square)', ['src/shape.ts:5:14']],
    ['go_to_implementation', 'src/shape.ts', 'interface @@Shape', ['src/shape.ts:5:14']],
    ['go_to_definition', 'src/app.ts', 'setTimeout(() => @@{', []],
  ])('%s from %s at %s leads to %j', async (tool, file, pattern, expected) => {
    const answer = await world.call(tool, at(file, pattern));
    expect(places(world, answer)).toEqual(expected);
    expect(answer.meta).toMatchObject({
      indexed: true,
      server: 'typescript-7',
      versions: { [world.at(file)]: 1 },
    });
  });

  test('numbers lead to the same place as a quotation', async () => {
    const input = { file_path: world.at('src/app.ts'), line: 4, column: 22 };
    expect(places(world, await world.call('go_to_definition', input))).toEqual(['src/shape.ts:12:17']);
  });

  test('what the server cannot be asked is empty, and says so', async () => {
    const answer = await world.call('go_to_declaration', at('src/app.ts', 'total = @@measure'));
    expect(answer).toMatchObject({ json: [], isError: false, meta: { unsupported: 'declarationProvider' } });
    expect(answer.hint).toBeUndefined();
  });

  test('references are all uses in the order of the text, under the older name as well', async () => {
    const uses = ['src/app.ts:1:10', 'src/app.ts:4:22', 'src/app.ts:4:40', 'src/app.ts:8:5'];
    for (const tool of ['find_references', 'get_references']) {
      const answer = await world.call(tool, at('src/shape.ts', 'function @@measure'));
      expect(places(world, answer)).toEqual(uses);
    }
    const whole = await world.call('find_references', {
      ...at('src/app.ts', 'total = @@measure'),
      include_declaration: true,
    });
    expect(places(world, whole)).toEqual(expect.arrayContaining([...uses, 'src/shape.ts:12:17']));
  });

  test('a symbol nobody uses has no references, though another one of its name has', async () => {
    const answer = await world.call('find_references', at('src/shape.ts', 'function @@unused'));
    expect(answer).toMatchObject({ json: [], isError: false, meta: { indexed: true } });
    expect(answer.meta).not.toHaveProperty('found_by_name');
  });

  test('a long list comes in pages that say what there is', async () => {
    const input = { ...at('src/shape.ts', 'function @@measure'), limit: 2 };
    const first = await world.call('find_references', input);
    expect(first.json).toHaveLength(2);
    expect(first.meta).toMatchObject({ pagination: { offset: 0, limit: 2, total: 4, more: true } });
    const rest = await world.call('find_references', { ...input, offset: 2 });
    expect(places(world, rest)).toEqual(['src/app.ts:4:40', 'src/app.ts:8:5']);
    const capped = await world.call('find_references', { ...input, limit: undefined, max_tokens: 40 });
    expect(capped.meta).toMatchObject({ truncated: { max_tokens: 40, left_out: 3 } });
  });

  test('find_symbol lists symbols with their zero-based places', async () => {
    const answer = await world.call('find_symbol', { query: 'measure' });
    expect(answer.json).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'measure',
          kind: 12,
          location: {
            uri: `file://${world.at('src/shape.ts')}`,
            range: { start: { line: 11, character: 16 }, end: { line: 11, character: 23 } },
          },
        }),
      ]),
    );
    expect(answer.meta).toMatchObject({ indexed: true });
    const classes = await world.call('get_workspace_symbols', {
      query: 'Square',
      symbol_kind_filter: 'class',
    });
    expect(classes.json).toMatchObject([{ name: 'Square', kind: 5 }]);
    const none = await world.call('find_symbol', { query: 'nobodyIsCalledThis' });
    expect(none).toMatchObject({ json: [], hint: undefined });
  });

  test('find_symbol tells more of a window of symbols', async () => {
    const input = { query: 'measure', detail_level: 'hover', limit: 1, symbol_kind_filter: 'Function' };
    const { json } = await world.call('find_symbol', input);
    expect(json).toMatchObject({
      total: 1,
      symbols: [{ name: 'measure' }],
      enriched: [
        { name: 'measure', hover: expect.stringContaining('function measure(shape: Shape): number') },
      ],
      pagination: { offset: 0, limit: 1, more: false },
      indexed: true,
    });
    const past = await world.call('find_symbol', { ...input, offset: 9 });
    expect(past.json).toEqual({ total: 1, symbols: expect.any(Array), indexed: true });
  });

  test.each<[string, readonly string[]]>([
    ['measure', ['src/shape.ts:12:17']],
    ['shape.measure', ['src/shape.ts:12:17']],
    ['Holder.measure', ['src/shape.test.ts:3:3']],
    ['Square.area', ['src/shape.ts:7:3']],
  ])('go_to_symbol finds %s at %j', async (symbol_path, expected) => {
    expect(places(world, await world.call('go_to_symbol', { symbol_path }))).toEqual(expected);
  });

  test('go_to_symbol says so when there is none', async () => {
    const answer = await world.call('go_to_symbol', { symbol_path: 'Nobody.isCalledThis' });
    expect(answer).toMatchObject({
      text: 'no symbols found for symbol_path: Nobody.isCalledThis',
      isError: false,
    });
    const narrowed = { symbol_path: 'measure', workspace_root: world.world.root, language: 'typescript' };
    expect(places(world, await world.call('go_to_symbol', narrowed))).toEqual(['src/shape.ts:12:17']);
  });

  test('find_callers names callers and callees, and the calls made from a timer', async () => {
    const input = { ...at('src/shape.ts', 'function @@measure'), cross_concurrent: true };
    const answer = await world.call('find_callers', input);
    expect(answer.json).toMatchObject({
      items: [
        {
          name: 'measure',
          uri: `file://${world.at('src/shape.ts')}`,
          selectionRange: { start: { line: 11 } },
        },
      ],
      incoming: expect.arrayContaining([
        expect.objectContaining({
          from: expect.objectContaining({ uri: `file://${world.at('src/app.ts')}` }),
        }),
      ]),
      outgoing: expect.any(Array),
      concurrent_callers: [{ pattern: 'setTimeout(', file: world.at('src/app.ts'), line: 8 }],
    });
    expect(answer.hint).toMatch(/^1 concurrent caller found/);
  });

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['find_callers', { direction: 'incoming' }, ['items', 'incoming']],
    ['call_hierarchy', { direction: 'outgoing' }, ['items', 'outgoing']],
    ['callers', {}, ['items', 'incoming']],
    ['callers', { direction: 'outgoing' }, ['items', 'incoming']],
  ])('%s with %o answers %j', async (tool, more, members) => {
    const { json } = await world.call(tool, { ...at('src/shape.ts', 'function @@measure'), ...more });
    expect(Object.keys(json ?? {})).toEqual(members);
  });

  test('a place without a call hierarchy is a sentence', async () => {
    const file_path = world.at('src/app.ts');
    const answer = await world.call('find_callers', { file_path, line: 2, column: 1 });
    expect(answer).toMatchObject({
      text: `No call hierarchy item found at ${file_path}:2:1`,
      isError: false,
    });
  });

  test('a server without a type hierarchy is told apart from a type without relatives', async () => {
    const file_path = world.at('src/shape.ts');
    const answer = await world.call('type_hierarchy', { file_path, line: 1, column: 18 });
    expect(answer).toMatchObject({
      text: `No type hierarchy item found at ${file_path}:1:18`,
      meta: { unsupported: 'typeHierarchyProvider' },
    });
  });

  test('highlights are the bare list of places, zero-based', async () => {
    const answer = await world.call('get_document_highlights', at('src/app.ts', 'const @@square'));
    expect(answer.content).toHaveLength(1);
    expect(answer.json).toHaveLength(3);
    expect(answer.json).toMatchObject([{ range: { start: { line: 2, character: 6 } } }, {}, {}]);
  });

  test('what a caller shows as unsaved text is what is asked about', async () => {
    const file_path = world.at('src/app.ts');
    const text = `// one more line\n${typescriptFiles['src/app.ts']}`;
    await world.call('open_document', { file_path, text });
    try {
      const answer = await world.call('find_references', at('src/shape.ts', 'function @@measure'));
      const uses = ['src/app.ts:2:10', 'src/app.ts:5:22', 'src/app.ts:5:40', 'src/app.ts:9:5'];
      expect(places(world, answer)).toEqual(uses);
    } finally {
      await world.call('close_document', { file_path });
    }
  });

  describe('bad input gets a sentence', () => {
    test.each<[string, Readonly<Record<string, unknown>>, string | RegExp]>([
      ['find_references', {}, 'file_path is required'],
      ['find_references', { file_path: 'src/app.ts' }, 'line: missing required argument "line"'],
      ['find_references', { file_path: 'src/app.ts', line: 0, column: 1 }, 'line must be >= 1, got 0'],
      [
        'find_references',
        { file_path: 'src/app.ts', line: 99, column: 1 },
        /^line 99 exceeds file length 16/,
      ],
      [
        'go_to_definition',
        { file_path: 'src/app.ts', position_pattern: 'x' },
        'position_pattern must contain @@ marker',
      ],
      [
        'go_to_definition',
        { file_path: 'src/none.ts', line: 1, column: 1 },
        /^reading file .*src\/none\.ts: /,
      ],
      [
        'go_to_definition',
        { file_path: '/etc/hosts', line: 1, column: 1 },
        /^file path "\/etc\/hosts" is outside workspace root/,
      ],
      [
        'find_references',
        { file_path: 'src/app.ts', line: 1, column: 1, limit: -1 },
        'find_references: limit must be >= 0, got -1',
      ],
      [
        'find_callers',
        { file_path: 'src/app.ts', line: 1, column: 1, direction: 'up' },
        'direction must be one of: incoming, outgoing, both',
      ],
      [
        'type_hierarchy',
        { file_path: 'src/app.ts', line: 1, column: 1, direction: 'up' },
        'direction must be one of: supertypes, subtypes, both',
      ],
      ['find_symbol', { symbol_kind_filter: 'gadget' }, /^symbol_kind_filter must be one of: File, Module/],
      ['find_symbol', { detail_level: 'all' }, 'detail_level must be one of: basic, hover'],
      ['go_to_symbol', {}, 'symbol_path is required'],
      [
        'get_document_highlights',
        { file_path: 'src/app.ts', line: 1 },
        'column: missing required argument "column"',
      ],
    ])('%s %o', async (tool, { file_path, ...input }, sentence) => {
      const path =
        typeof file_path === 'string' && !file_path.startsWith('/') ? world.at(file_path) : file_path;
      const answer = await world.call(tool, { ...input, ...(path !== undefined && { file_path: path }) });
      expect(answer.isError).toBe(true);
      if (typeof sentence === 'string') expect(answer.text).toBe(sentence);
      else expect(answer.text).toMatch(sentence);
    });
  });
});

describe('on Python', () => {
  let world: ToolWorld;
  beforeAll(async () => {
    world = await ToolWorld.open(pythonFiles);
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const at = (file: string, position_pattern: string) => ({ file_path: world.at(file), position_pattern });

  test('the first question of all is answered for the whole workspace', async () => {
    const found = await world.call('find_symbol', { query: 'measure' });
    expect(found.json).toMatchObject([{ name: 'measure', kind: 12 }]);
    const answer = await world.call('find_references', at('shapes.py', 'def @@measure'));
    expect(places(world, answer)).toEqual(['main.py:1:28', 'main.py:3:9']);
  });

  test.each<[string, string, string, readonly string[]]>([
    ['go_to_definition', 'main.py', 'total = @@measure', ['shapes.py:6:5']],
    ['go_to_declaration', 'main.py', 'total = @@measure', ['shapes.py:6:5']],
    ['go_to_type_definition', 'shapes.py', 'return @@s.area', ['shapes.py:1:7']],
  ])('%s from %s at %s leads to %j', async (tool, file, pattern, expected) => {
    expect(places(world, await world.call(tool, at(file, pattern)))).toEqual(expected);
  });

  test('find_callers sees a caller in a file nobody has opened', async () => {
    const { json } = await world.call('callers', at('shapes.py', 'def @@area'));
    expect(json).toMatchObject({ items: [{ name: 'area' }], incoming: [{ from: { name: 'measure' } }] });
  });

  test('go_to_symbol knows the class a method lies in', async () => {
    const answer = await world.call('go_to_symbol', { symbol_path: 'Square.area' });
    expect(places(world, answer)).toEqual(['shapes.py:2:9']);
  });
});

/** Those of Rust are in `tools-rust.test.ts`. */
describe('uses in files that were never opened are found', () => {
  const declared: Readonly<Record<string, readonly [string, string]>> = {
    typescript: ['src/math.ts', 'function @@add'],
    python: ['kit/math.py', 'def @@add'],
    go: ['math/math.go', 'func @@Add'],
    c: ['math.h', 'int @@add'],
    cpp: ['math.hpp', 'int @@add'],
  };
  /** Without these a server does not know which files belong together. */
  const configurations = ['tsconfig.json', 'pyrightconfig.json'];

  for (const { language, binary, files, dependent } of languageCases) {
    if (language === 'rust') continue;
    test.skipIf(binary !== undefined && !isOnPath(binary))(`on ${language}`, async () => {
      const bare = Object.entries(files).filter(([path]) => !configurations.includes(path));
      await using world = await ToolWorld.open(Object.fromEntries(bare));
      const [file = '', position_pattern = ''] = declared[language] ?? [];
      const answer = await world.call('find_references', { file_path: world.at(file), position_pattern });
      expect(places(world, answer).map((place) => place.split(':')[0])).toContain(dependent);
      expect(answer.meta).toMatchObject({ indexed: true });
    });
  }
});

describe.skipIf(!isOnPath('gopls'))('on Go', () => {
  test('a type hierarchy names what is above and below', async () => {
    await using world = await ToolWorld.open({
      'go.mod': 'module example.test/kit\n\ngo 1.21\n',
      'shape.go':
        'package kit\n\ntype Shape interface{ Area() int }\n\ntype Square struct{}\n\nfunc (Square) Area() int { return 4 }\n',
    });
    const at = (position_pattern: string) => ({ file_path: world.at('shape.go'), position_pattern });
    const above = await world.call('type_hierarchy', { ...at('type @@Square'), direction: 'incoming' });
    expect(above.json).toMatchObject({ items: [{ name: 'Square' }], supertypes: [{ name: 'Shape' }] });
    expect(above.json).not.toHaveProperty('subtypes');
    const both = await world.call('type_hierarchy', at('type @@Shape'));
    expect(both.json).toMatchObject({ supertypes: [], subtypes: [{ name: 'Square' }] });
    const implementations = await world.call('go_to_implementation', at('type @@Shape'));
    expect(places(world, implementations)).toEqual(['shape.go:5:6']);
    const method = await world.call('go_to_symbol', { symbol_path: 'Square.Area' });
    expect(places(world, method)).toEqual(['shape.go:7:15']);
  });
});

test('symbols of every running server are found in one call', async () => {
  await using world = await ToolWorld.open({
    ...pythonFiles,
    'tsconfig.json': '{}',
    'lib/measure.ts': 'export const measure = 1;\n',
  });
  const { json, meta } = await world.call('find_symbol', { query: 'measure' });
  expect(json).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        location: expect.objectContaining({ uri: `file://${world.at('shapes.py')}` }),
      }),
      expect.objectContaining({
        location: expect.objectContaining({ uri: `file://${world.at('lib/measure.ts')}` }),
      }),
    ]),
  );
  expect(String(meta.server).split(', ')).toEqual(expect.arrayContaining(['pyright', 'typescript-7']));
});

describe('a name the server cannot follow from where it stands', () => {
  /** Symbols are found in the file they are declared in, and nothing is known elsewhere. */
  async function openNamed(): Promise<ToolWorld> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-named-')));
    const range = { start: { line: 0, character: 4 }, end: { line: 0, character: 9 } };
    const declared = { uri: `file://${root}/declared.scripted`, range };
    const use = { uri: `file://${root}/other.scripted`, range };
    const behaviour = {
      capabilities: { referencesProvider: true, definitionProvider: true, workspaceSymbolProvider: true },
      results: {
        'textDocument/definition': null,
        'textDocument/definition declared.scripted': declared,
        'textDocument/references': null,
        'textDocument/references declared.scripted': [use],
        'workspace/symbol': [
          { name: 'gadgets', kind: 12, location: use },
          { name: 'gizmo', kind: 12, location: declared },
        ],
      },
    };
    const files = {
      'asked.scripted': 'use gizmo\n',
      'declared.scripted': 'def gizmo\n',
      'other.scripted': 'see gizmo\n',
    };
    return ToolWorld.open(files, { definitions: [scriptedDefinition(behaviour)], root });
  }

  test.each([
    ['go_to_definition', 'declared.scripted:1:5'],
    ['find_references', 'other.scripted:1:5'],
  ])('is found by %s where it is declared, and the answer says so', async (tool, expected) => {
    const world = await openNamed();
    try {
      const file_path = world.at('asked.scripted');
      const answer = await world.call(tool, { file_path, line: 1, column: 6 });
      expect(places(world, answer)).toEqual([expected]);
      expect(answer.meta).toMatchObject({
        found_by_name: { name: 'gizmo', file: world.at('declared.scripted'), line: 1, column: 5 },
      });
    } finally {
      await world[Symbol.asyncDispose]();
      await rm(world.world.root, { recursive: true });
    }
  });
});

describe('a server that is still indexing', () => {
  const capabilities = {
    referencesProvider: true,
    definitionProvider: true,
    callHierarchyProvider: true,
    workspaceSymbolProvider: true,
  };
  const results = {
    'textDocument/references': [],
    'textDocument/definition': null,
    'textDocument/prepareCallHierarchy': null,
    'workspace/symbol': [],
  };
  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['find_references', { line: 1, column: 1 }],
    ['go_to_definition', { line: 1, column: 1 }],
    ['find_callers', { line: 1, column: 1 }],
    ['find_symbol', { query: 'one' }],
  ])('has %s say that nothing found yet is not nothing', async (tool, input) => {
    const behaviour = { endlessProgress: true, capabilities, results };
    await using world = await ToolWorld.open(
      { 'a.scripted': 'one\n' },
      { definitions: [scriptedDefinition(behaviour)], readyTimeoutMs: 100 },
    );
    const file_path = world.at('a.scripted');
    await world.call('get_diagnostics', { file_path });
    await isIndexing(world);
    const answer = await world.call(tool, { file_path, ...input });
    expect(answer).toMatchObject({ isError: true, meta: { code: 'tools/still-indexing' } });
    expect(answer.text).toMatch(/not ready yet: scripted is still indexing after 0.1 s \(Indexing\)$/);
  });

  test('is not waited for where it cannot be asked', async () => {
    await using world = await ToolWorld.open(
      { 'a.scripted': 'one\n' },
      { definitions: [scriptedDefinition({ endlessProgress: true })], readyTimeoutMs: 100 },
    );
    const answer = await world.call('find_references', {
      file_path: world.at('a.scripted'),
      line: 1,
      column: 1,
    });
    expect(answer).toMatchObject({ json: [], isError: false, meta: { unsupported: 'referencesProvider' } });
  });
});

/** Resolves when the only server of the world has said what it is busy with. */
async function isIndexing(world: ToolWorld): Promise<void> {
  const progress = world.world.live.servers.pools[0]?.replicas[0]?.server.progress;
  if (!progress || progress.isBusy) return;
  await new Promise<void>((resolve) => {
    progress.changed.subscribe(() => resolve());
  });
}

describe('over the wire', () => {
  let world: ToolWorld;
  let connection: McpConnection;
  beforeAll(async () => {
    world = await ToolWorld.open(typescriptFiles);
    connection = await McpConnection.open();
    await connection.call('start_lsp', { root_dir: world.world.root });
  });
  afterAll(async () => {
    await connection[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['go_to_definition', { position_pattern: 'total = @@measure' }, '"line":12,"column":17'],
    ['go_to_type_definition', { position_pattern: 'measure(@@square)' }, '"line":5,"column":14'],
    ['go_to_implementation', { position_pattern: 'new @@Square' }, '"line":5,"column":14'],
    ['go_to_declaration', { position_pattern: 'total = @@measure' }, '[]'],
    ['find_references', { position_pattern: 'total = @@measure' }, '"line":4,"column":22'],
    ['find_callers', { position_pattern: 'total = @@measure' }, '"items":[{"name":"measure"'],
    ['callers', { position_pattern: 'total = @@measure' }, '"incoming":['],
    ['type_hierarchy', { position_pattern: 'new @@Square' }, 'No type hierarchy item found at'],
    ['get_document_highlights', { position_pattern: 'const @@square' }, '"line":2,"character":6'],
    ['find_symbol', { query: 'measure' }, '"name":"measure"'],
    ['go_to_symbol', { symbol_path: 'Square.area' }, '"line":7,"column":3'],
  ])('%s answers', async (tool, input, expected) => {
    const answer = await connection.call(tool, { file_path: world.at('src/app.ts'), ...input });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text).toContain(expected);
  });
});
