/** The tools that change files: what they write, what they refuse, and that everything can be taken back. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languageId } from '../../src/servers/language.ts';
import { openFixture } from '../support/fixture.ts';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { scriptedRequests } from '../support/scripted.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { checkSymbolCase, type SymbolCase, undone } from '../support/symbol-edit.ts';
import { ToolWorld } from '../support/tool-world.ts';
import { calm } from '../support/world.ts';

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
  'src/math.ts':
    '/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}\n\nexport function over(a: string): string;\nexport function over(a: number): number;\nexport function over(a: unknown): unknown {\n  return a;\n}\n\nexport const twice = (a: number) => a * 2;\n\nexport class Point {\n  constructor(readonly x: number) {}\n\n  /** Moves it. */\n  move(by: number): Point {\n    return new Point(this.x + by);\n  }\n\n  unusedMethod(): void {}\n}\n\nfunction lonely(n: number): number {\n  return n > 0 ? lonely(n - 1) : 0;\n}\n',
  'src/app.ts':
    "import { add, over, Point, twice } from './math';\n\nexport const sum = add(1, twice(2));\nexport const moved = new Point(1).move(2);\nover(sum);\n",
  'src/extra.spec.ts': "import { add } from './math';\n\nadd(3, 4);\n",
  'src/messy.ts': 'export   const a=1;\nexport function  f( x:number ){return x}\n',
};

const pythonFiles = {
  'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
  'kit/__init__.py': '',
  'kit/shapes.py':
    'import functools\n\nSCALE = 2\n\n\n# How large.\n@functools.cache\ndef area(w: int,\n         h: int) -> int:\n    """Area."""\n    return w * h\n\n\nclass Box:\n    size: int = 1\n\n    def grow(self, by: int) -> int:\n        return self.size + by\n\n\ndef unused() -> None: pass\n',
  'kit/main.py': 'from kit.shapes import SCALE, Box, area\n\ntotal: int = area(2, SCALE) + Box().grow(1)\n',
};

let world: ToolWorld;
let python: ToolWorld;

beforeAll(async () => {
  [world, python] = await Promise.all([ToolWorld.open(typescriptFiles), ToolWorld.open(pythonFiles)]);
});

afterAll(async () => {
  await Promise.all([world[Symbol.asyncDispose](), python[Symbol.asyncDispose]()]);
});

describe('rename_symbol', () => {
  test.each([
    {
      language: 'typescript',
      on: () => world,
      file: 'src/math.ts',
      pattern: 'function @@add',
      to: 'plus',
      sentence: 'Renamed to "plus" across 5 location(s) in 3 file(s): app.ts, extra.spec.ts, math.ts',
      files: { 'src/app.ts': 'plus(1, twice(2))', 'src/math.ts': 'function plus(' },
    },
    {
      language: 'python',
      on: () => python,
      file: 'kit/shapes.py',
      pattern: 'def @@area',
      to: 'extent',
      sentence: 'Renamed to "extent" across 3 location(s) in 2 file(s): main.py, shapes.py',
      files: { 'kit/main.py': 'extent(2, SCALE)', 'kit/shapes.py': 'def extent(w' },
    },
  ])(
    '$language: every use in every file, written at once',
    async ({ on, file, pattern, to, sentence, files }) => {
      const tools = on();
      await undone(tools, async () => {
        const answer = await tools.call('rename_symbol', {
          file_path: tools.at(file),
          position_pattern: pattern,
          new_name: to,
        });
        expect(answer.text).toBe(sentence);
        expect(answer.hint).toMatch(/^errors_after: 0, warnings_after: \d+\. /);
        for (const [path, part] of Object.entries(files))
          expect(await tools.world.read(path)).toContain(part);
      });
    },
  );

  test('a dry run answers the edit and writes nothing', async () => {
    const before = await world.world.read('src/app.ts');
    const answer = await world.call('rename_symbol', {
      file_path: world.at('src/math.ts'),
      line: 2,
      column: 17,
      new_name: 'plus',
      dry_run: true,
    });
    expect(answer.json).toMatchObject({
      workspace_edit: expect.anything(),
      preview: { files: 3, locations: 5, file_names: ['app.ts', 'extra.spec.ts', 'math.ts'] },
    });
    expect(answer.hint).toContain('re-run without dry_run');
    expect(await world.world.read('src/app.ts')).toBe(before);
  });

  test.each([
    [['**/*.spec.ts'], ['app.ts', 'math.ts']],
    [['extra.spec.ts'], ['app.ts', 'math.ts']],
    [['src/app.ts', '*.spec.ts'], ['math.ts']],
  ])('files matching %j are left alone', async (exclude_globs, file_names) => {
    const answer = await world.call('rename_symbol', {
      file_path: world.at('src/math.ts'),
      position_pattern: 'function @@add',
      new_name: 'plus',
      dry_run: true,
      exclude_globs,
    });
    expect(answer.json).toMatchObject({ preview: { file_names } });
  });

  test('nothing to rename is no error', async () => {
    const answer = await world.call('rename_symbol', {
      file_path: world.at('src/math.ts'),
      line: 5,
      column: 1,
      new_name: 'x',
    });
    expect(answer).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^No rename edits produced/),
    });
  });

  test.each([
    [{ line: 2, column: 17 }, 'new_name is required'],
    [{ new_name: 'x', line: 99, column: 1 }, 'rename_symbol: line 99 exceeds file length 28'],
    [{ new_name: 'x', position_pattern: 'add' }, 'rename_symbol: position_pattern must contain @@ marker'],
  ])('bad arguments %j are told', async (args, text) => {
    const answer = await world.call('rename_symbol', { file_path: world.at('src/math.ts'), ...args });
    expect(answer).toMatchObject({ isError: true, text });
  });

  test('line ends, a byte order mark and characters of two units survive', async () => {
    const lines = ['export const 名前 = "😀"; // 😀', 'export const use = 名前 + "😀" + 名前;', ''];
    await writeFile(world.at('src/odd.ts'), `\uFEFF${lines.join('\r\n')}`);
    await undone(world, async () => {
      const answer = await world.call('rename_symbol', {
        file_path: world.at('src/odd.ts'),
        position_pattern: '"😀" + @@名前;',
        new_name: 'n',
      });
      expect(answer.text).toBe('Renamed to "n" across 3 location(s) in 1 file(s): odd.ts');
      const after = ['export const n = "😀"; // 😀', 'export const use = n + "😀" + n;', ''];
      expect(await readFile(world.at('src/odd.ts'), 'utf8')).toBe(`\uFEFF${after.join('\r\n')}`);
    });
    expect(await readFile(world.at('src/odd.ts'), 'utf8')).toBe(`\uFEFF${lines.join('\r\n')}`);
  });
});

test('a rename across 200 files is one commit, and one undo takes it back', async () => {
  const users = Object.fromEntries(
    Array.from({ length: 200 }, (_unused, n) => [
      `src/user${n}.ts`,
      `import { shared } from './shared';\n\nexport const v${n} = shared(${n});\n`,
    ]),
  );
  await using tools = await ToolWorld.open({
    'tsconfig.json': typescriptFiles['tsconfig.json'],
    'src/shared.ts': 'export function shared(n: number): number {\n  return n;\n}\n',
    ...users,
  });
  const answer = await tools.call('rename_symbol', {
    file_path: tools.at('src/shared.ts'),
    position_pattern: 'function @@shared',
    new_name: 'common',
  });
  expect(answer.text).toMatch(/^Renamed to "common" across 401 location\(s\) in 201 file\(s\): shared\.ts, /);
  expect(answer.hint).toMatch(/^errors_after: 0, warnings_after: 0\. /);
  expect(await tools.world.read('src/user199.ts')).toContain('common(199)');
  const undo = await tools.call('undo_last_commit');
  expect(undo.text).toMatch(/^Undid the last commit: 201 file\(s\) restored: /);
  for (const [path, text] of Object.entries(users)) expect(await tools.world.read(path)).toBe(text);
  expect((await tools.call('undo_last_commit')).text).toBe('No commit to undo');
});

describe('prepare_rename', () => {
  test('tells the range and the present name', async () => {
    const answer = await world.call('prepare_rename', {
      file_path: world.at('src/math.ts'),
      line: 2,
      column: 17,
    });
    expect(JSON.stringify(answer.json)).toContain('"start":{"line":1,"character":16}');
  });

  test('answers null where there is nothing', async () => {
    const answer = await world.call('prepare_rename', {
      file_path: world.at('src/math.ts'),
      line: 5,
      column: 1,
    });
    expect(answer).toMatchObject({ isError: false, json: null });
  });
});

describe('formatting', () => {
  test('answers edits and writes nothing by itself', async () => {
    const before = await world.world.read('src/messy.ts');
    const answer = await world.call('format_document', { file_path: world.at('src/messy.ts') });
    expect(Array.isArray(answer.json)).toBe(true);
    expect(answer.text.length).toBeGreaterThan(10);
    expect(await world.world.read('src/messy.ts')).toBe(before);
  });

  test('apply writes what was answered', async () => {
    await undone(world, async () => {
      const answer = await world.call('format_document', {
        file_path: world.at('src/messy.ts'),
        apply: true,
      });
      expect(answer.meta).toMatchObject({ applied: true });
      expect(await world.world.read('src/messy.ts')).toBe(
        'export const a = 1;\nexport function f(x: number) { return x }\n',
      );
    });
  });

  test('a range without columns means whole lines', async () => {
    await undone(world, async () => {
      const range = { start_line: 1, end_line: 1 };
      await world.call('format_range', { file_path: world.at('src/messy.ts'), ...range, apply: true });
      expect(await world.world.read('src/messy.ts')).toBe(
        'export const a = 1;\nexport function  f( x:number ){return x}\n',
      );
    });
  });

  test('a server that does not format has no edits', async () => {
    const answer = await python.call('format_document', {
      file_path: python.at('kit/shapes.py'),
      apply: true,
    });
    expect(answer).toMatchObject({ isError: false, json: [] });
  });
});

const symbolCases: readonly SymbolCase[] = [
  {
    title: 'TypeScript: the body of a function',
    on: () => world,
    tool: 'replace_symbol_body',
    file: 'src/math.ts',
    args: { symbol_path: 'add', new_body: 'const sum = a + b;\nreturn sum;' },
    contains:
      '/** Adds. */\nexport function add(a: number, b: number): number {\n  const sum = a + b;\n  return sum;\n}\n',
  },
  {
    title: 'TypeScript: the overload that has a body',
    on: () => world,
    tool: 'replace_symbol_body',
    file: 'src/math.ts',
    args: { symbol_path: 'over', new_body: 'return [a];' },
    contains: 'export function over(a: unknown): unknown {\n  return [a];\n}\n',
  },
  {
    title: 'TypeScript: a whole method',
    on: () => world,
    tool: 'replace_symbol_body',
    file: 'src/math.ts',
    args: { symbol_path: 'Point.move', new_body: 'move(by: number): Point {\n  return new Point(by);\n}' },
    contains: '  /** Moves it. */\n  move(by: number): Point {\n    return new Point(by);\n  }\n',
  },
  {
    title: 'TypeScript: after the last overload',
    on: () => world,
    tool: 'insert_after_symbol',
    file: 'src/math.ts',
    args: { symbol_path: 'over', code: '\nexport const more = 1;' },
    contains: '  return a;\n}\n\nexport const more = 1;\n\nexport const twice',
  },
  {
    title: 'TypeScript: before a method and its comment',
    on: () => world,
    tool: 'insert_before_symbol',
    file: 'src/math.ts',
    args: { symbol_path: 'Point.move', code: 'stay(): Point {\n  return this;\n}\n\n' },
    contains:
      'constructor(readonly x: number) {}\n\n  stay(): Point {\n    return this;\n  }\n\n  /** Moves it. */\n  move',
  },
  {
    title: 'TypeScript: an unused function that calls itself goes',
    on: () => world,
    tool: 'safe_delete_symbol',
    file: 'src/math.ts',
    args: { symbol_path: 'lonely' },
    contains: '  unusedMethod(): void {}\n}\n',
    without: 'lonely',
  },
  {
    title: 'TypeScript: an unused method goes with the gap above it',
    on: () => world,
    tool: 'safe_delete_symbol',
    file: 'src/math.ts',
    args: { symbol_path: 'Point.unusedMethod' },
    contains: '    return new Point(this.x + by);\n  }\n}\n\nfunction lonely',
    without: 'unusedMethod',
  },
  {
    title: 'Python: the body under a signature of two lines',
    on: () => python,
    tool: 'replace_symbol_body',
    file: 'kit/shapes.py',
    args: { symbol_path: 'area', new_body: 'if w:\n    return h\nreturn 0' },
    contains:
      '@functools.cache\ndef area(w: int,\n         h: int) -> int:\n    if w:\n        return h\n    return 0\n\n\nclass Box',
  },
  {
    title: 'Python: before a decorated function and its comment',
    on: () => python,
    tool: 'insert_before_symbol',
    file: 'kit/shapes.py',
    args: { symbol_path: 'area', code: 'DEPTH = 3\n\n\n' },
    contains: 'SCALE = 2\n\n\nDEPTH = 3\n\n\n# How large.\n@functools.cache\ndef area',
  },
  {
    title: 'Python: after a method, at its depth',
    on: () => python,
    tool: 'insert_after_symbol',
    file: 'kit/shapes.py',
    args: { symbol_path: 'Box.grow', code: '\ndef shrink(self) -> int:\n    return 0' },
    contains:
      '        return self.size + by\n\n    def shrink(self) -> int:\n        return 0\n\n\ndef unused',
  },
  {
    title: 'Python: the value of a variable',
    on: () => python,
    tool: 'replace_symbol_body',
    file: 'kit/shapes.py',
    args: { symbol_path: 'SCALE', new_body: '3' },
    contains: '\nSCALE = 3\n',
  },
  {
    title: 'Python: an unused function goes with the gap above it',
    on: () => python,
    tool: 'safe_delete_symbol',
    file: 'kit/shapes.py',
    args: { symbol_path: 'unused' },
    contains: '        return self.size + by\n',
    without: 'unused',
  },
];

describe('edits at a symbol', () => {
  test.each(symbolCases)('$title', checkSymbolCase);

  test('the file is found by the symbol where it is not named', async () => {
    await undone(world, async () => {
      await world.call('start_lsp', { root_dir: world.world.root });
      const answer = await world.call('replace_symbol_body', { symbol_path: 'twice', new_body: 'a + a' });
      expect(answer.text).toBe(`Replaced body of "twice" in ${world.at('src/math.ts')}`);
      expect(await world.world.read('src/math.ts')).toContain('twice = (a: number) => a + a;');
    });
  });

  test('errors that the edit leaves are counted', async () => {
    await undone(world, async () => {
      const answer = await world.call('replace_symbol_body', {
        file_path: world.at('src/math.ts'),
        symbol_path: 'add',
        new_body: "return 'text';",
      });
      expect(answer.hint).toMatch(/^errors_after: 1, warnings_after: \d+\. /);
    });
  });

  test.each([
    ['replace_symbol_body', { symbol_path: 'add' }, 'new_body is required'],
    ['replace_symbol_body', { new_body: 'x' }, 'symbol_path is required'],
    ['insert_after_symbol', { symbol_path: 'add' }, 'code is required'],
    [
      'replace_symbol_body',
      { symbol_path: 'nope', new_body: 'x' },
      'resolve symbol: symbol "nope" not found at current level. Use list_symbols to see the names there are.',
    ],
    [
      'insert_before_symbol',
      { symbol_path: 'over[7]', code: 'x' },
      'overload index [7] out of bounds for "over" (found 3 matches)',
    ],
    [
      'replace_symbol_body',
      { symbol_path: 'over[0]', new_body: 'return a;' },
      'symbol "over" has no body that could be replaced on its own',
    ],
    [
      'safe_delete_symbol',
      { symbol_path: 'add' },
      'symbol has 4 references; cannot safely delete. Use find_references to see them.',
    ],
  ])('%s %j is refused', async (tool, args, text) => {
    const before = await world.world.read('src/math.ts');
    const answer = await world.call(tool, { file_path: world.at('src/math.ts'), ...args });
    expect(answer).toMatchObject({ isError: true, text });
    expect(await world.world.read('src/math.ts')).toBe(before);
  });

  test('a file that is opened with other text is not edited under it', async () => {
    const file_path = world.at('src/math.ts');
    await world.call('open_document', { file_path, text: 'export function add() {}\n' });
    const answer = await world.call('replace_symbol_body', {
      file_path,
      symbol_path: 'add',
      new_body: 'return;',
    });
    expect(answer).toMatchObject({ isError: true, meta: { code: 'tools/unsaved-text' } });
    await world.call('close_document', { file_path });
  });
});

describe('safe_delete_symbol proves that nothing uses the symbol', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } };
  const outline = {
    capabilities: { documentSymbolProvider: true, referencesProvider: true },
    results: {
      'textDocument/documentSymbol': [{ name: 'word', kind: 12, range, selectionRange: range }],
      'textDocument/references': [],
    },
  };

  test.each([
    { title: 'a server that has read everything', behaviour: outline, code: undefined, after: 'rest\n' },
    {
      title: 'a server that is still reading',
      behaviour: { ...outline, endlessProgress: true },
      code: 'tools/still-indexing',
      after: 'word\nrest\n',
    },
    {
      title: 'a server that tells no references',
      behaviour: { ...outline, capabilities: { documentSymbolProvider: true } },
      code: 'tools/uses-unknown',
      after: 'word\nrest\n',
    },
  ])('$title', async ({ behaviour, code, after }) => {
    const definitions = [scriptedDefinition(behaviour)];
    await using tools = await ToolWorld.open(
      { 'a.scripted': 'word\nrest\n' },
      { definitions, readyTimeoutMs: 1 },
    );
    const file_path = tools.at('a.scripted');
    const answer = await tools.call('safe_delete_symbol', { file_path, symbol_path: 'word' });
    expect(answer.meta.code).toBe(code);
    expect(await tools.world.read('a.scripted')).toBe(after);
  });

  test('an import alone is a use', async () => {
    await using tools = await ToolWorld.open({
      'tsconfig.json': typescriptFiles['tsconfig.json'],
      'lib.ts': 'export const value = 1;\n\nexport const passed = 2;\n',
      'use.ts': "import { value } from './lib';\n",
      'pass.ts': "export { passed } from './lib';\n",
    });
    for (const symbol_path of ['value', 'passed']) {
      const answer = await tools.call('safe_delete_symbol', { file_path: tools.at('lib.ts'), symbol_path });
      expect(answer).toMatchObject({ isError: true, meta: { code: 'tools/symbol-in-use' } });
    }
  });
});

describe('undo_last_commit', () => {
  test('is refused where a file has changed since, and works again when it is put back', async () => {
    await using tools = await ToolWorld.open({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const quote = { file_path: tools.at('a.txt'), old_text: 'one', new_text: 'two' };
    await tools.call('apply_edit', quote);
    await tools.world.write('a.txt', 'mine\n');
    const refused = await tools.call('undo_last_commit');
    expect(refused).toMatchObject({
      isError: true,
      text: 'conflict: changed on disk since the commit: a.txt',
      meta: { code: 'tools/undo-conflict', conflict: true, paths: ['a.txt'] },
    });
    expect(await tools.world.read('a.txt')).toBe('mine\n');
    await tools.world.write('a.txt', 'two\n');
    expect((await tools.call('undo_last_commit')).isError).toBe(false);
    expect(await tools.world.read('a.txt')).toBe('one\n');
  });

  test('takes back creations, deletions and moves, the last commit first', async () => {
    await using tools = await ToolWorld.open({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const uri = (name: string) => `file://${tools.at(name)}`;
    await tools.call('apply_edit', {
      workspace_edit: {
        documentChanges: [
          { kind: 'create', uri: uri('new/d.txt') },
          { kind: 'rename', oldUri: uri('a.txt'), newUri: uri('moved/a.txt') },
          { kind: 'delete', uri: uri('b.txt') },
        ],
      },
    });
    await tools.call('apply_edit', { file_path: tools.at('c.txt'), old_text: 'c', new_text: 'see' });
    await tools.call('undo_last_commit');
    expect(await tools.world.read('c.txt')).toBe('c\n');
    expect(await tools.world.read('moved/a.txt')).toBe('a\n');
    await tools.call('undo_last_commit');
    expect(await tools.world.read('a.txt')).toBe('a\n');
    expect(await tools.world.read('b.txt')).toBe('b\n');
    await expect(tools.world.read('new/d.txt')).rejects.toThrow('ENOENT');
    await expect(tools.world.read('moved/a.txt')).rejects.toThrow('ENOENT');
  });

  test('takes back what a session committed', async () => {
    await undone(world, async () => {
      const { json } = await world.call('create_simulation_session', {
        workspace_root: world.world.root,
        language: 'typescript',
      });
      const session_id = Reflect.get(Object(json), 'session_id');
      const range = { start_line: 3, start_column: 10, end_line: 3, end_column: 15 };
      const edit = { file_path: world.at('src/math.ts'), ...range, new_text: 'b + a' };
      await world.call('simulate_edit', { session_id, ...edit });
      const committed = await world.call('commit_session', { session_id, apply: true });
      expect(committed.json).toMatchObject({ files_written: 1 });
    });
    expect(await world.world.read('src/math.ts')).toBe(typescriptFiles['src/math.ts']);
  });
});

describe('workspace folders', () => {
  test('a folder comes and goes, and its files can be named', async () => {
    await using tools = await ToolWorld.open(pythonFiles);
    await using other = await ToolWorld.open({ 'lib.py': 'value: int = "x"\n' });
    const root = { uri: `file://${tools.world.root}`, name: tools.world.root };
    const folder = { uri: `file://${other.world.root}`, name: other.world.root };
    const outside = await tools.call('get_diagnostics', { file_path: other.at('lib.py') });
    expect(outside.text).toContain('is outside workspace root');
    const added = await tools.call('add_workspace_folder', { path: other.world.root });
    expect(added.json).toEqual({ added: other.world.root, workspace_folders: [root, folder] });
    expect((await tools.call('add_workspace_folder', { path: other.world.root })).json).toEqual(added.json);
    const inside = await tools.call('get_diagnostics', { file_path: other.at('lib.py') });
    expect(inside.text).toContain('not assignable');
    const listed = await tools.call('list_workspace_folders');
    expect(listed.json).toEqual({ workspace_folders: [root, folder] });
    const removed = await tools.call('remove_workspace_folder', { path: other.world.root });
    expect(removed.json).toEqual({ removed: other.world.root, workspace_folders: [root] });
    expect((await tools.call('remove_workspace_folder', { path: '/nowhere' })).isError).toBe(false);
    const again = await tools.call('get_diagnostics', { file_path: other.at('lib.py') });
    expect(again.text).toContain('is outside workspace root');
  });

  test('a server that takes folders hears of each that comes and goes', async () => {
    const capabilities = { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } };
    const definitions = [scriptedDefinition({ capabilities })];
    await using tools = await ToolWorld.open(
      { 'a.scripted': 'x\n', 'sub/b.scripted': 'x\n' },
      { definitions },
    );
    const received = async (): Promise<unknown> => {
      const { view } = tools.world;
      await using lease = await view.lease(languageId('scripted'), calm);
      const params = { method: 'workspace/didChangeWorkspaceFolders' };
      return await lease.server.request(scriptedRequests.lastParams, params, {}, calm);
    };
    expect(await received()).toBeNull();
    const folder = { uri: `file://${tools.at('sub')}`, name: tools.at('sub') };
    const added = await tools.call('add_workspace_folder', { path: tools.at('sub') });
    expect(added.meta).toEqual({});
    expect(await received()).toEqual({ event: { added: [folder], removed: [] } });
    await tools.call('remove_workspace_folder', { path: tools.at('sub') });
    expect(await received()).toEqual({ event: { added: [], removed: [folder] } });
  });

  test.each([
    ['add_workspace_folder', {}, 'path is required'],
    ['add_workspace_folder', { path: 'sub' }, 'add_workspace_folder: path "sub" is not absolute'],
    [
      'add_workspace_folder',
      { path: '/nowhere' },
      'add_workspace_folder: workspace root "/nowhere" is not a directory',
    ],
  ])('%s %j is refused', async (tool, args, text) => {
    expect(await world.call(tool, args)).toMatchObject({ isError: true, text });
  });

  test('the root cannot be removed', async () => {
    const answer = await world.call('remove_workspace_folder', { path: world.world.root });
    expect(answer).toMatchObject({ isError: true, meta: { code: 'servers/root-folder' } });
  });
});

describe('did_change_watched_files', () => {
  test('a server sees a file it was told of', async () => {
    await world.world.write('src/late.ts', "export const late: number = 'x';\n");
    const changes = [{ uri: `file://${world.at('src/late.ts')}`, type: 1 }];
    const answer = await world.call('did_change_watched_files', { changes });
    expect(answer.text).toBe('File change notifications sent');
    const found = await world.call('get_diagnostics', { file_path: world.at('src/late.ts') });
    expect(found.text).toContain('not assignable');
  });

  test('a known file that another took the place of is read again', async () => {
    await using tools = await ToolWorld.open({
      'tsconfig.json': typescriptFiles['tsconfig.json'],
      'lib.ts': 'export const value: number = 1;\n',
      'use.ts': "import { value } from './lib';\n\nexport const n: number = value;\n",
      'next.txt': "export const value: string = '';\n",
    });
    const use = { file_path: tools.at('use.ts') };
    expect((await tools.call('get_diagnostics', use)).text).toContain(':[]');
    await rename(tools.at('next.txt'), tools.at('lib.ts'));
    await tools.call('did_change_watched_files', {
      changes: [{ uri: `file://${tools.at('lib.ts')}`, type: 1 }],
    });
    expect((await tools.call('get_diagnostics', use)).text).toContain('not assignable');
  });

  test.each([
    [{}, 'changes is required'],
    [{ changes: 1 }, 'changes must be an array'],
    [{ changes: [{ type: 1 }] }, 'changes[0].uri is required'],
    [
      {
        changes: [
          { uri: 'file:///a', type: 1 },
          { uri: 'file:///a', type: 4 },
        ],
      },
      'changes[1].type must be 1 (created), 2 (changed), or 3 (deleted)',
    ],
  ])('%j is refused', async (args, text) => {
    expect(await world.call('did_change_watched_files', args)).toMatchObject({ isError: true, text });
  });
});

describe('execute_command', () => {
  test('a server without commands has no result', async () => {
    const answer = await world.call('execute_command', { command: 'x', file_path: world.at('src/math.ts') });
    expect(answer).toMatchObject({ isError: false, json: null });
  });

  test('a command is required', async () => {
    expect(await world.call('execute_command')).toMatchObject({ isError: true, text: 'command is required' });
  });
});

describe.skipIf(!isOnPath('gopls'))('with gopls', () => {
  const files = {
    'go.mod': 'module example.test/kit\n\ngo 1.21\n',
    'kit.go':
      'package kit\n\n// T is.\ntype T struct {\n\ta int\n}\n\n// M does.\nfunc (t *T) M() int { return t.a }\n\nfunc Apart() int {\n\treturn 1\n}\n\nvar Used = (&T{}).M()\n',
  };
  let go: ToolWorld;

  beforeAll(async () => {
    go = await ToolWorld.open(files, { trust: 'trusted' });
  });
  afterAll(() => go[Symbol.asyncDispose]());

  test('edits that a command asks for are written', async () => {
    await undone(go, async () => {
      const uri = `file://${go.at('kit.go')}`;
      const answer = await go.call('execute_command', {
        command: 'gopls.add_import',
        arguments: [{ URI: uri, ImportPath: 'fmt' }],
        file_path: go.at('kit.go'),
      });
      expect(answer).toMatchObject({ isError: false, json: null, meta: { files_written: ['kit.go'] } });
      expect(await go.world.read('kit.go')).toContain('import "fmt"');
    });
  });

  test('a command that fails is told as the server tells it', async () => {
    const answer = await go.call('execute_command', {
      command: 'gopls.nonsense',
      file_path: go.at('kit.go'),
    });
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^execute_command: lsp error /),
    });
  });

  test('a command that creates a file creates it', async () => {
    const { json } = await go.call('suggest_fixes', { file_path: go.at('kit.go'), line: 11, column: 6 });
    const actions: readonly { title: string; command?: object }[] = Array.isArray(json) ? json : [];
    const action = actions.find(({ title }) => title === 'Extract declarations to new file');
    await undone(go, async () => {
      const answer = await go.call('execute_command', { ...action?.command });
      expect(answer).toMatchObject({ isError: false, meta: { files_written: ['apart.go', 'kit.go'] } });
      expect(await go.world.read('apart.go')).toContain('func Apart() int {');
      expect(await go.world.read('kit.go')).not.toContain('Apart');
    });
    await expect(go.world.read('apart.go')).rejects.toThrow('ENOENT');
  });

  const cases: readonly SymbolCase[] = [
    {
      title: 'a method by its type',
      on: () => go,
      tool: 'replace_symbol_body',
      file: 'kit.go',
      args: { symbol_path: 'T.M', new_body: 'x := t.a\nreturn x' },
      contains: 'func (t *T) M() int {\n\tx := t.a\n\treturn x\n}\n',
    },
    {
      title: 'a type and its comment stay together',
      on: () => go,
      tool: 'insert_before_symbol',
      file: 'kit.go',
      args: { symbol_path: 'T', code: 'const Before = 1\n\n' },
      contains: 'package kit\n\nconst Before = 1\n\n// T is.\ntype T struct',
    },
    {
      title: 'an unused function goes',
      on: () => go,
      tool: 'safe_delete_symbol',
      file: 'kit.go',
      args: { symbol_path: 'Apart' },
      contains: 'return t.a }\n\nvar Used',
      without: 'Apart',
    },
  ];
  test.each(cases)('$title', checkSymbolCase);
});

describe.skipIf(!isOnPath('clangd'))('with clangd', () => {
  const files = {
    'compile_flags.txt': '-std=c++17\n-I.\n',
    'kit.hpp': '#pragma once\nnamespace ns {\nclass Foo {\n public:\n  int baz();\n};\n}  // namespace ns\n',
    'kit.cpp':
      '#include "kit.hpp"\n\nint ns::Foo::baz() { return 1; }\n\nint use() { return ns::Foo().baz(); }\n',
  };
  let cpp: ToolWorld;

  beforeAll(async () => {
    cpp = await ToolWorld.open(files);
  });
  afterAll(() => cpp[Symbol.asyncDispose]());

  test.each<SymbolCase>([
    {
      title: 'a method where it is defined',
      on: () => cpp,
      tool: 'replace_symbol_body',
      file: 'kit.cpp',
      args: { symbol_path: 'ns::Foo::baz', new_body: 'int x = 2;\nreturn x;' },
      contains: 'int ns::Foo::baz() {\n    int x = 2;\n    return x;\n}\n',
    },
    {
      title: 'behind the semicolon of a declaration',
      on: () => cpp,
      tool: 'insert_after_symbol',
      file: 'kit.hpp',
      args: { symbol_path: 'ns::Foo::baz', code: 'int more() { return 0; }' },
      contains: '  int baz();\n  int more() { return 0; }\n};\n',
    },
  ])('$title', checkSymbolCase);

  test('a rename reaches the header', async () => {
    await undone(cpp, async () => {
      const answer = await cpp.call('rename_symbol', {
        file_path: cpp.at('kit.cpp'),
        position_pattern: 'Foo::@@baz() {',
        new_name: 'qux',
      });
      expect(answer.text).toBe('Renamed to "qux" across 3 location(s) in 2 file(s): kit.cpp, kit.hpp');
    });
  });
});

test('over MCP every one of these tools is listed and answers', async () => {
  await using fixture = await openFixture('ts-two-modules');
  await using connection = await McpConnection.open({ cwd: fixture.root });
  const file_path = fixture.file('math.ts');
  const before = await fixture.read('math.ts');
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ['start_lsp', { root_dir: fixture.root }, /^LSP server started successfully/],
    ['prepare_rename', { file_path, line: 1, column: 17 }, /"line":0/],
    [
      'rename_symbol',
      { file_path, line: 1, column: 17, new_name: 'halved' },
      /^Renamed to "halved" across \d/,
    ],
    ['undo_last_commit', {}, /^Undid the last commit: 2 file/],
    [
      'replace_symbol_body',
      { file_path, symbol_path: 'half', new_body: 'return a * 0.5;' },
      /^Replaced body of "half" in /,
    ],
    [
      'insert_after_symbol',
      { file_path, symbol_path: 'half', code: 'const x = 1;' },
      /^Inserted code after "half" in /,
    ],
    [
      'insert_before_symbol',
      { file_path, symbol_path: 'half', code: 'const y = 1;' },
      /^Inserted code before "half" in /,
    ],
    ['safe_delete_symbol', { file_path, symbol_path: 'x' }, /^Deleted symbol "x" from /],
    ['format_document', { file_path }, /^\[/],
    ['format_range', { file_path, start_line: 1, end_line: 2 }, /^\[/],
    ['execute_command', { command: 'nothing' }, /^null$/],
    ['did_change_watched_files', { changes: [] }, /^File change notifications sent$/],
    ['list_workspace_folders', {}, /^\{"workspace_folders":\[/],
    ['add_workspace_folder', { path: fixture.root }, /^\{"added":/],
    ['remove_workspace_folder', { path: `${fixture.root}/none` }, /^\{"removed":/],
    ['undo_last_commit', {}, /^Undid/],
    ['undo_last_commit', {}, /^Undid/],
    ['undo_last_commit', {}, /^Undid/],
    ['undo_last_commit', {}, /^Undid/],
    ['undo_last_commit', {}, /^No commit to undo$/],
  ];
  const listed = (await connection.client.listTools()).tools.map(({ name }) => name);
  for (const [name, args, text] of calls) {
    expect(listed).toContain(name);
    const answer = await connection.call(name, args);
    expect({ name, isError: answer.isError, text: answer.text }).toEqual({
      name,
      isError: false,
      text: expect.stringMatching(text),
    });
  }
  expect(await fixture.read('math.ts')).toBe(before);
});
