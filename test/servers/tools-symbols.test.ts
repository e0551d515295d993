/** What the tools tell of symbols, asked of real language servers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { type ToolAnswer, ToolWorld } from '../support/tool-world.ts';

const tsFiles = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      lib: ['es2023'],
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
    },
  }),
  'src/shape.ts': `import type { Opts } from './opts';

/** A named thing. */
export class Shape {
  readonly name: string = 'shape';
  /** Says its name. */
  greet(
    other: string,
    times = 2,
  ): string {
    const said = repeat(other, times);
    return said + this.name;
  }
}

export function repeat(text: string, times: number): string {
  return text.repeat(times);
}

export const defaults: Opts = { times: 1 };
`,
  'src/opts.ts': 'export interface Opts {\n  times: number;\n}\n',
  'src/use.ts': `import { Shape as Form } from './shape';

export function main(): string {
  return new Form().greet('x');
}
`,
  'src/shape.test.ts': `import { Shape } from './shape';

export function testGreeting(): void {
  new Shape().greet('y', 1);
}
`,
  'src/broken.ts': 'export const said = repeat("𝒳", 3);\n',
};

const pyFiles = {
  'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
  'kit/__init__.py': '',
  'kit/shape.py': `import os


class Shape:
    """A named thing."""

    def greet(self, other: str) -> str:
        """Says its name."""
        return join(other, os.sep)


def join(a: str,
         b: str = "") -> str:
    return a + b
`,
  'tests/test_shape.py': `from kit.shape import Shape


def test_greeting():
    assert Shape().greet("x")
`,
};

let ts: ToolWorld;
let py: ToolWorld;

beforeAll(async () => {
  [ts, py] = await Promise.all([ToolWorld.open(tsFiles), ToolWorld.open(pyFiles)]);
});

afterAll(async () => {
  await Promise.all([ts, py].map((world) => world[Symbol.asyncDispose]()));
});

const shapeTs = (args: object = {}) => ({ file_path: ts.at('src/shape.ts'), ...args });
const shapePy = (args: object = {}) => ({ file_path: py.at('kit/shape.py'), ...args });
const wholeFile = { start_line: 1, start_column: 1, end_line: 999, end_column: 1 };

function savings({ meta, text }: ToolAnswer): void {
  const { tokens_returned, tokens_full_file, tokens_saved } = Object(meta.token_savings);
  expect(tokens_returned).toBe(Math.floor(Buffer.byteLength(text) / 4));
  expect(tokens_saved).toBe(tokens_full_file - tokens_returned);
}

describe('inspect_symbol', () => {
  test('tells type and documentation, and what to ask next', async () => {
    const answer = await ts.call('inspect_symbol', shapeTs({ position_pattern: '@@greet(' }));
    expect(answer.text).toContain('(method) Shape.greet(other: string, times?: number): string');
    expect(answer.text).toContain('Says its name.');
    expect(answer.hint).toContain('find_references');
    const python = await py.call('get_info_on_location', shapePy({ line: 7, column: 9 }));
    expect(python.text).toContain('def greet');
  });

  test('is empty, without a hint, where there is nothing to tell', async () => {
    const answer = await ts.call('inspect_symbol', shapeTs({ line: 2, column: 1 }));
    expect(answer.content).toEqual(['']);
  });

  test.each<[object, string]>([
    [{ line: 1 }, 'column: missing required argument "column"'],
    [{ line: 0, column: 1 }, 'line must be >= 1, got 0'],
    [{ line: 500, column: 1 }, 'line 500 exceeds file length 21'],
    [{ position_pattern: 'greet' }, 'position_pattern must contain @@ marker'],
    [{ position_pattern: 'no@@where' }, 'position_pattern not found in file: "no@@where"'],
  ])('refuses %j', async (args, sentence) => {
    const answer = await ts.call('inspect_symbol', shapeTs(args));
    expect([answer.isError, answer.text]).toEqual([true, sentence]);
  });
});

describe('get_completions', () => {
  test('gives the list of the server alone, and the best of it where a limit is set', async () => {
    const place = shapeTs({ position_pattern: 'said + this.na@@me' });
    const all = await ts.call('get_completions', place);
    expect(all.json).toMatchObject({ isIncomplete: false });
    expect(all.content).toHaveLength(1);
    const best = await ts.call('get_completions', { ...place, limit: 1 });
    expect(best.json).toMatchObject({ isIncomplete: true, items: [{ label: 'name' }] });
    const python = await py.call('get_completions', shapePy({ position_pattern: 'os.sep@@', limit: 1 }));
    expect(python.json).toMatchObject({ items: [{ label: 'sep' }] });
  });

  test('suggests what another file exports, also after edits were judged', async () => {
    const preview = {
      ...shapeTs({}),
      start_line: 1,
      start_column: 1,
      end_line: 1,
      end_column: 1,
      new_text: '\n',
    };
    expect((await ts.call('preview_edit', preview)).json).toMatchObject({ net_delta: 0 });
    const place = { file_path: ts.at('src/broken.ts'), position_pattern: 'said = repeat@@(' };
    const { json } = await ts.call('get_completions', { ...place, limit: 1 });
    expect(json).toMatchObject({ items: [{ label: 'repeat', labelDetails: { description: './shape' } }] });
  });

  test('refuses a limit that leaves nothing', async () => {
    const answer = await ts.call('get_completions', shapeTs({ line: 1, column: 1, limit: 0 }));
    expect([answer.isError, answer.text]).toEqual([true, 'limit must be >= 1, got 0']);
  });
});

describe('get_signature_help', () => {
  test('tells which parameter a call is at, and null outside of calls', async () => {
    const call = await ts.call('get_signature_help', shapeTs({ position_pattern: 'repeat(other, @@times' }));
    expect(call.json).toMatchObject({ activeParameter: 1, signatures: [{ label: expect.any(String) }] });
    const python = await py.call('get_signature_help', shapePy({ position_pattern: 'join(@@other' }));
    expect(python.json).toMatchObject({ signatures: [{ label: '(a: str, b: str = "") -> str' }] });
    expect((await ts.call('get_signature_help', shapeTs({ line: 2, column: 1 }))).json).toBeNull();
  });
});

describe('list_symbols', () => {
  test('gives a tree counted from 1, each name where it stands', async () => {
    const answer = await ts.call('list_symbols', shapeTs());
    expect(answer.json).toMatchObject([
      { name: 'Opts' },
      {
        name: 'Shape',
        kind: 5,
        range: { start: { line: 4, character: 1 }, end: { line: 14, character: 2 } },
        selectionRange: { start: { line: 4, character: 14 }, end: { line: 4, character: 19 } },
        children: [{ name: 'name' }, { name: 'greet', kind: 6, range: { start: { line: 7, character: 3 } } }],
      },
      { name: 'repeat' },
      { name: 'defaults' },
    ]);
    expect(answer.hint).toContain('blast_radius');
    savings(answer);
  });

  test('gives an outline of one short line for each symbol', async () => {
    const answer = await py.call('get_document_symbols', shapePy({ format: 'outline' }));
    expect(answer.text.split('\n').filter((line) => !line.includes('[Variable]'))).toEqual([
      'Shape [Class] :4',
      '  greet [Method] :7',
      'join [Function] :12',
    ]);
    savings(answer);
  });

  test('says that nothing has changed to a caller who holds the tag of that very answer', async () => {
    const { meta } = await ts.call('list_symbols', shapeTs());
    const again = await ts.call('list_symbols', shapeTs({ if_none_match: meta.etag }));
    expect(again.content).toEqual([JSON.stringify({ status: 'not_modified', etag: meta.etag })]);
    const outline = await ts.call('list_symbols', shapeTs({ format: 'outline', if_none_match: meta.etag }));
    expect(outline.text).toContain('Shape [Class]');
    await ts.world.write('src/opts.ts', 'export interface Opts {\n  times: number;\n  more?: 1;\n}\n');
    const opts = { file_path: ts.at('src/opts.ts') };
    const before = (await ts.call('list_symbols', opts)).meta.etag;
    await ts.world.write('src/opts.ts', tsFiles['src/opts.ts']);
    expect((await ts.call('list_symbols', { ...opts, if_none_match: before })).text).toContain('Opts');
  });

  test('fails for a file that is not there, and for one outside', async () => {
    const missing = await ts.call('list_symbols', { file_path: ts.at('src/none.ts') });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('src/none.ts')]);
    const outside = await ts.call('list_symbols', { file_path: '/etc/hosts' });
    expect([outside.isError, outside.text]).toEqual([
      true,
      expect.stringContaining('is outside workspace root'),
    ]);
  });
});

describe('get_symbol_source', () => {
  test('gives the innermost symbol around a place, as whole lines', async () => {
    const answer = await ts.call('get_symbol_source', shapeTs({ position_pattern: 'return said@@ +' }));
    expect(answer.json).toMatchObject({
      symbol_name: 'greet',
      symbol_kind: 'Method',
      start_line: 7,
      end_line: 13,
      source: expect.stringMatching(/^ {2}greet\(\n[\s\S]*\n {2}\}$/),
    });
    savings(answer);
    const python = await py.call('get_symbol_source', shapePy({ line: 14, character: 6 }));
    expect(python.json).toMatchObject({ symbol_name: 'join', start_line: 12, end_line: 14 });
    const held = { if_none_match: Object(python.json).etag };
    expect((await py.call('get_symbol_source', shapePy({ line: 14, character: 6, ...held }))).json).toEqual({
      status: 'not_modified',
      etag: held.if_none_match,
    });
  });

  test('fails where no symbol is', async () => {
    const answer = await ts.call('get_symbol_source', shapeTs({ line: 2 }));
    expect([answer.isError, answer.text]).toEqual([true, 'no symbol found at the given position']);
  });
});

describe('get_semantic_tokens', () => {
  test('decodes what each word of the range is, counted from 1, and nothing outside of it', async () => {
    const range = { start_line: 16, start_column: 17, end_line: 16, end_column: 28 };
    const answer = await ts.call('get_semantic_tokens', shapeTs(range));
    expect(answer.json).toEqual([
      { line: 16, character: 17, length: 6, tokenType: 'function', modifiers: ['declaration'] },
      { line: 16, character: 24, length: 4, tokenType: 'parameter', modifiers: ['declaration'] },
    ]);
  });

  test('says so where there are none', async () => {
    const empty = await ts.call('get_semantic_tokens', shapeTs({ ...wholeFile, end_line: 1, start_line: 1 }));
    expect(empty.isError).toBe(false);
    const python = await py.call('get_semantic_tokens', shapePy(wholeFile));
    expect([python.isError, python.text]).toEqual([
      false,
      expect.stringMatching(/^No semantic tokens found/),
    ]);
  });

  test('needs a range that runs forwards', async () => {
    const backwards = { start_line: 3, start_column: 1, end_line: 1, end_column: 1 };
    const answer = await ts.call('get_semantic_tokens', shapeTs(backwards));
    expect(answer.text).toBe('start position (3:1) must not be after end position (1:1)');
    const none = await ts.call('get_semantic_tokens', shapeTs());
    expect(none.text).toBe('start_line: missing required argument "start_line"');
  });
});

describe('get_inlay_hints', () => {
  test('is an empty list where the server offers none, and needs its range', async () => {
    expect((await py.call('get_inlay_hints', shapePy(wholeFile))).json).toEqual([]);
    const answer = await py.call('get_inlay_hints', shapePy({ start_line: 1 }));
    expect(answer.text).toBe('start_column: missing required argument "start_column"');
  });
});

describe('explore_symbol', () => {
  test('tells of a name, wherever it is met, what is found at its definition', async () => {
    const place = { file_path: ts.at('src/use.ts'), position_pattern: 'new @@Form' };
    const answer = await ts.call('explore', place);
    expect(answer.json).toEqual({
      type_info: expect.stringContaining('A named thing.'),
      source: {
        symbol_name: 'Shape',
        file: ts.at('src/shape.ts'),
        start_line: 4,
        end_line: 14,
        source: expect.stringMatching(/^export class Shape \{/),
      },
      callers: expect.arrayContaining([
        { name: 'main', file: ts.at('src/use.ts'), line: 3 },
        { name: 'testGreeting', file: ts.at('src/shape.test.ts'), line: 3 },
      ]),
      callers_count: 2,
      references: { count: expect.any(Number), top_files: expect.arrayContaining([ts.at('src/use.ts')]) },
      test_callers_count: expect.any(Number),
    });
    const python = await py.call('explore_symbol', shapePy({ position_pattern: 'def @@greet' }));
    expect(python.json).toMatchObject({
      callers: [{ name: 'test_greeting', file: py.at('tests/test_shape.py'), line: 4 }],
      references: { count: 1, top_files: [py.at('tests/test_shape.py')] },
      test_callers_count: 1,
    });
  });

  test('has empty parts where there is no symbol', async () => {
    expect((await ts.call('explore_symbol', shapeTs({ line: 2, column: 1 }))).json).toEqual({
      type_info: '',
      callers: [],
      callers_count: 0,
      references: { count: 0, top_files: [] },
      test_callers_count: 0,
    });
  });
});

describe('get_editing_context', () => {
  test('names symbols with their signatures, who calls them and what they call', async () => {
    const answer = await ts.call('get_editing_context', shapeTs());
    expect(answer.json).toMatchObject({
      file: ts.at('src/shape.ts'),
      language: 'typescript',
      symbols: [
        { name: 'Shape', kind: 'Class', signature: 'export class Shape', start_line: 4, end_line: 14 },
        { name: 'Shape.name', signature: 'readonly name: string' },
        { name: 'Shape.greet', signature: 'greet(other: string, times = 2): string' },
        { name: 'repeat', signature: 'export function repeat(text: string, times: number): string' },
        { name: 'defaults', signature: 'export const defaults: Opts' },
      ],
      callers: {
        'Shape.greet': {
          test_callers: [{ name: 'testGreeting', file: ts.at('src/shape.test.ts'), line: 3 }],
          non_test_callers: [{ name: 'main', file: ts.at('src/use.ts'), line: 3 }],
        },
        repeat: { test_callers: [], non_test_callers: [{ name: 'greet', line: 7 }] },
      },
      callees: { 'Shape.greet': [{ name: 'repeat', file: ts.at('src/shape.ts'), line: 16 }] },
      imports: ['./opts'],
      etag: expect.any(String),
    });
    savings(answer);
    const python = await py.call('get_editing_context', shapePy());
    expect(python.json).toMatchObject({
      symbols: [
        { name: 'Shape', signature: 'class Shape' },
        { name: 'Shape.greet', signature: 'def greet(self, other: str) -> str' },
        { name: 'join', signature: 'def join(a: str, b: str = "") -> str' },
      ],
      imports: ['os'],
    });
  });

  test('is computed anew when a file that calls into it has changed', async () => {
    const { etag } = Object((await ts.call('get_editing_context', shapeTs())).json);
    const held = shapeTs({ if_none_match: etag });
    expect((await ts.call('get_editing_context', held)).json).toEqual({ status: 'not_modified', etag });
    await ts.world.write('src/use.ts', tsFiles['src/use.ts'].replace('main', 'other'));
    const after = await ts.call('get_editing_context', held);
    expect(after.json).toMatchObject({
      callers: { 'Shape.greet': { non_test_callers: [{ name: 'other' }] } },
    });
    await ts.world.write('src/use.ts', tsFiles['src/use.ts']);
  });
});

describe('get_symbol_documentation', () => {
  const ask = async (world: ToolWorld, symbol: string, language_id: string, args: object = {}) =>
    (await world.call('get_symbol_documentation', { symbol, language_id, ...args })).json;

  test.skipIf(!isOnPath('python3'))('prints what the toolchain of the language prints', async () => {
    expect(await ask(py, 'json.dumps', 'python')).toMatchObject({
      symbol: 'json.dumps',
      language: 'python',
      source: 'toolchain',
      doc: expect.stringContaining('Serialize'),
      signature: expect.stringContaining('dumps(obj'),
    });
    expect(await ask(py, 'json.dumps', 'python', { format: 'markdown' })).toMatchObject({
      doc: expect.stringMatching(/^```python\n.*dumps\(obj.*\n```\n/),
    });
  });

  test('asks the server for what no toolchain prints: the workspace, its libraries, its globals', async () => {
    expect(await ask(py, 'Shape.greet', 'python', { file_path: py.at('kit/shape.py') })).toMatchObject({
      source: 'hover',
      doc: expect.stringContaining('Says its name.'),
    });
    expect(await ask(py, 'kit.shape.Shape', 'python')).toMatchObject({
      source: 'hover',
      doc: expect.stringContaining('A named thing.'),
    });
    expect(await ask(ts, 'Array.prototype.map', 'typescript')).toMatchObject({
      source: 'hover',
      signature: expect.stringContaining('map<U>(callbackfn'),
      doc: expect.stringContaining('Calls a defined callback function'),
    });
    expect(await ask(ts, 'Shape', 'typescript', { format: 'markdown' })).toMatchObject({
      source: 'hover',
      doc: expect.stringContaining('```typescript'),
    });
  });

  test('nothing is left behind by asking', async () => {
    await ask(ts, 'Array.prototype.map', 'typescript', { file_path: ts.at('src/opts.ts') });
    const answer = await ts.call('get_diagnostics', { file_path: ts.at('src/opts.ts') });
    expect(Object.values(Object(answer.json))).toEqual([[]]);
    expect(await ts.world.read('src/opts.ts')).toBe(tsFiles['src/opts.ts']);
  });

  test.each([
    ['nonsense.nope', 'typescript', 'no documentation found for nonsense.nope'],
    ['anything', 'cobol', 'unsupported language: cobol'],
    ['a; import os', 'python', 'not a name in python: a; import os'],
  ])('what is not found is a normal answer: %s in %s', async (symbol, language_id, error) => {
    const answer = await ts.call('get_symbol_documentation', { symbol, language_id });
    expect(answer.isError).toBe(false);
    expect(answer.json).toEqual({
      symbol,
      language: language_id,
      source: 'error',
      doc: '',
      signature: '',
      error,
    });
  });

  test('a symbol is never an option', async () => {
    const answer = await ts.call('get_symbol_documentation', { symbol: '-exec', language_id: 'go' });
    expect([answer.isError, answer.text]).toEqual([true, 'symbol must not begin with "-"']);
  });
});

describe('suggest_fixes', () => {
  const broken = (args: object) => ({ file_path: ts.at('src/broken.ts'), ...args });

  test.each<[string, object]>([
    ['a range', { start_line: 1, start_column: 21, end_line: 1, end_column: 27 }],
    ['a range that ends past the line', { start_line: 1, start_column: 1, end_line: 1, end_column: 999 }],
    ['a line', { line: 1 }],
    ['a point', { line: 1, column: 22 }],
  ])('offers what mends the errors in %s, with the edit', async (_, args) => {
    const answer = await ts.call('suggest_fixes', broken(args));
    expect(answer.json).toMatchObject([
      {
        title: 'Add import from "./shape"',
        kind: 'quickfix',
        diagnostics: [{ code: 2304, message: "Cannot find name 'repeat'.", severity: 1 }],
      },
    ]);
    expect(Object.values(Object(answer.json)[0].edit.changes).flat()).toMatchObject([
      { newText: expect.stringContaining('import { repeat } from "./shape"') },
    ]);
    expect(answer.hint).toContain('apply_edit');
  });

  test('is an empty list without a hint where nothing is offered', async () => {
    const answer = await ts.call('get_code_actions', { file_path: ts.at('src/opts.ts'), line: 2 });
    expect(answer.content).toEqual(['[]']);
    expect((await py.call('suggest_fixes', shapePy({ line: 7 }))).isError).toBe(false);
  });

  test('needs a range or a line', async () => {
    const answer = await ts.call('suggest_fixes', broken({}));
    expect([answer.isError, answer.text]).toEqual([
      true,
      'start_line: missing required argument "start_line"',
    ]);
  });
});

describe('get_server_capabilities', () => {
  test('sorts every tool into what the server supports and what it does not', async () => {
    const { supported_tools, unsupported_tools } = Object(
      (await py.call('get_server_capabilities', { file_path: py.at('kit/shape.py') })).json,
    );
    expect(unsupported_tools).toEqual(
      expect.arrayContaining(['get_inlay_hints', 'get_semantic_tokens', 'type_hierarchy']),
    );
    expect(supported_tools).toEqual(
      expect.arrayContaining(['explore', 'get_diagnostics', 'get_symbol_documentation', 'inspect_symbol']),
    );
  });
});

describe('a server that can do little', () => {
  const open = (behaviour: Parameters<typeof scriptedDefinition>[0]) =>
    ToolWorld.open({ 'a.scripted': 'word\n' }, { definitions: [scriptedDefinition(behaviour)] });

  test.each<[string, object, unknown]>([
    ['get_completions', { line: 1, column: 1 }, { isIncomplete: false, items: [] }],
    ['get_signature_help', { line: 1, column: 1 }, null],
    ['list_symbols', {}, []],
    ['get_inlay_hints', wholeFile, []],
    ['suggest_fixes', { line: 1 }, []],
  ])('%s answers empty, and no error, for what the server does not offer', async (name, args, expected) => {
    await using world = await open({});
    const answer = await world.call(name, { file_path: world.at('a.scripted'), ...args });
    expect([answer.isError, answer.json]).toEqual([false, expected]);
  });

  test.each([
    ['inspect_symbol', 'inspect_symbol: '],
    ['explore_symbol', 'explore_symbol (hover): '],
  ])("%s tells the server's own error with its name in front", async (name, prefix) => {
    await using world = await open({
      errors: { 'textDocument/hover': { code: -32603, message: 'no luck' } },
    });
    const answer = await world.call(name, { file_path: world.at('a.scripted'), line: 1, column: 1 });
    expect([answer.isError, answer.text]).toEqual([true, `${prefix}lsp error -32603: no luck`]);
  });
});

describe.skipIf(!isOnPath('gopls'))('Go', () => {
  const files = {
    'go.mod': 'module example.test/kit\n\ngo 1.21\n',
    'math/math.go':
      'package math\n\n// P has a name.\ntype P struct {\n\tName string\n}\n\n// Add adds.\nfunc Add(a int, b int) int {\n\treturn a + b\n}\n\nfunc (p *P) Sum() int { fmt.Println(p.Name); return Add(1, 2) }\n',
    'math/math_test.go': 'package math\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tAdd(1, 2)\n}\n',
  };

  test('documentation, context and fixes come from its own tools', async () => {
    await using go = await ToolWorld.open(files);
    const file = { file_path: go.at('math/math.go') };
    const documentation = { language_id: 'go', ...file };
    for (const [symbol, signature] of [
      ['Add', 'func Add(a int, b int) int'],
      ['strings.ToUpper', 'func ToUpper(s string) string'],
    ]) {
      expect((await go.call('get_symbol_documentation', { symbol, ...documentation })).json).toMatchObject({
        source: 'toolchain',
        signature,
      });
    }
    expect((await go.call('get_editing_context', file)).json).toMatchObject({
      symbols: [{ name: 'P' }, { name: 'P.Name' }, { name: 'Add' }, { signature: 'func (p *P) Sum() int' }],
      callers: { Add: { test_callers: [{ name: 'TestAdd' }], non_test_callers: [{ line: 13 }] } },
    });
    const fixes = await go.call('suggest_fixes', { ...file, line: 13 });
    expect(fixes.json).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'quickfix',
          title: expect.stringContaining('fmt'),
          edit: expect.anything(),
        }),
      ]),
    );
  });
});

describe.skipIf(!isOnPath('clangd'))('C++', () => {
  test('tokens of a server that gives only whole files are cut to the range, and hints are told', async () => {
    await using cpp = await ToolWorld.open({
      'compile_flags.txt': '-std=c++17\n',
      'a.cpp': 'int add(int left, int right) { return left + right; }\nauto sum = add(1, 2);\n',
    });
    const line = { file_path: cpp.at('a.cpp'), start_line: 2, start_column: 1, end_line: 2, end_column: 99 };
    const tokens = await cpp.call('get_semantic_tokens', line);
    expect(tokens.json).toEqual(
      expect.arrayContaining([expect.objectContaining({ line: 2, character: 12, tokenType: 'function' })]),
    );
    expect(new Set(Object(tokens.json).map((token: { line: number }) => token.line))).toEqual(new Set([2]));
    const hints = await cpp.call('get_inlay_hints', line);
    expect(JSON.stringify(hints.json)).toContain('left:');
    expect(Object(hints.json)[0].position.line).toBe(1);
  });
});

describe('over MCP', () => {
  let connection: McpConnection;
  let fixture: Fixture;

  beforeAll(async () => {
    [connection, fixture] = await Promise.all([McpConnection.open(), openFixture('ts-two-modules')]);
  });

  afterAll(async () => {
    await connection[Symbol.asyncDispose]();
    await fixture[Symbol.asyncDispose]();
  });

  test.each<[string, object, string]>([
    ['inspect_symbol', { line: 1, column: 17 }, 'function add'],
    ['get_completions', { line: 2, column: 10, limit: 3 }, '"isIncomplete"'],
    ['get_signature_help', { line: 1, column: 1 }, 'null'],
    ['list_symbols', { format: 'outline' }, 'add [Function] :1'],
    ['get_symbol_source', { line: 2 }, '"symbol_name":"add"'],
    ['get_inlay_hints', wholeFile, '['],
    ['get_semantic_tokens', wholeFile, '"tokenType":"function"'],
    ['explore_symbol', { line: 1, column: 17 }, '"callers_count":'],
    ['explore', { line: 1, column: 17 }, '"callers_count":'],
    ['get_editing_context', {}, '"signature":"export function add(a: number, b: number): number"'],
    ['get_symbol_documentation', { symbol: 'add', language_id: 'typescript' }, '"source":"hover"'],
    ['suggest_fixes', { line: 1 }, '['],
  ])('%s answers', async (name, args, part) => {
    const answer = await connection.call(name, { file_path: fixture.file('math.ts'), ...args });
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain(part);
  });
});
