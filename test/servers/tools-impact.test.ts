/** What a change reaches: on real servers and a real git, in process; once each over the wire. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McpConnection } from '../support/mcp-connection.ts';
import { isOnPath } from '../support/on-path.ts';
import { ToolWorld } from '../support/tool-world.ts';

const run = promisify(execFile);

const git = async (root: string, ...words: readonly string[]): Promise<void> => {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
  await run('git', [...identity, ...words], { cwd: root });
};

const typescriptFiles = {
  'package.json': '{}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      lib: ['es2023'],
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
    },
  }),
  'lib/price.ts': [
    'export function price(cents: number): number {',
    '  return rounded(cents);',
    '}',
    '',
    'function rounded(cents: number): number {',
    '  return Math.round(cents);',
    '}',
    '',
    'export function lonely(): void {}',
    '',
    'export class Till {',
    '  private open = false;',
    '  ring(): number {',
    '    return this.open ? 0 : price(1);',
    '  }',
    '}',
    '',
  ].join('\n'),
  'app/cart.ts': [
    "import { price, Till } from '../lib/price';",
    '',
    'export function total(): number {',
    '  return price(100) + new Till().ring();',
    '}',
    '',
  ].join('\n'),
  'app/shop.ts': [
    "import { total } from './cart';",
    '',
    'export function checkout(): number {',
    '  return total();',
    '}',
    '',
  ].join('\n'),
  'lib/price.test.ts': [
    "import { price } from './price';",
    '',
    'function testPrice(): void {',
    '  price(1);',
    '}',
    '',
    'function testAgain(): void {',
    '  price(2);',
    '  price(3);',
    '}',
    'testPrice();',
    'testAgain();',
    '',
  ].join('\n'),
};

const pythonFiles = {
  'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
  'store/__init__.py': '',
  'store/stock.py':
    'import threading\n\n\nclass Stock:\n    def __init__(self) -> None:\n        self._lock = threading.Lock()\n\n    def take(self) -> int:\n        return 1\n\n\ndef _hidden() -> int:\n    return 2\n\n\ndef shown() -> int:\n    return _hidden()\n',
  'main.py':
    'from store.stock import Stock, shown\n\n\ndef main() -> int:\n    return Stock().take() + shown()\n',
  'tests/test_stock.py':
    'from store.stock import shown\n\n\ndef test_shown() -> None:\n    assert shown() == 2\n',
};

/** The lists of an answer, with the root taken out of the paths. */
const outline = (world: ToolWorld, json: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(json).replaceAll(`${world.world.root}/`, ''));

describe('on typescript', () => {
  let world: ToolWorld;
  beforeAll(async () => {
    world = await ToolWorld.open(typescriptFiles);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('every exported symbol is listed with its callers, tests apart from the rest', async () => {
    const { json, hint } = await world.call('blast_radius', { changed_files: [world.at('lib/price.ts')] });
    const answer = outline(world, json);
    expect(answer).toMatchObject({
      changed_symbols: [
        { name: 'price', file: 'lib/price.ts', line: 1 },
        { name: 'lonely', file: 'lib/price.ts', line: 9 },
        { name: 'Till', file: 'lib/price.ts', line: 11 },
        { name: 'ring', file: 'lib/price.ts', line: 13 },
      ],
      test_files: ['lib/price.test.ts'],
      summary: 'Found 4 changed symbols with 3 test references across 1 test files.',
      warnings: [],
      indexed: true,
    });
    expect(answer.affected_symbols).toEqual([
      {
        name: 'price',
        file: 'lib/price.ts',
        line: 1,
        test_callers: [
          { name: 'testPrice', file: 'lib/price.test.ts', line: 3 },
          { name: 'testAgain', file: 'lib/price.test.ts', line: 7 },
        ],
        non_test_callers: [
          { name: 'price', file: 'app/cart.ts', line: 4, caller: 'total' },
          { name: 'price', file: 'lib/price.ts', line: 14, caller: 'ring' },
        ],
      },
      { name: 'lonely', file: 'lib/price.ts', line: 9, test_callers: [], non_test_callers: [] },
      {
        name: 'Till',
        file: 'lib/price.ts',
        line: 11,
        test_callers: [],
        non_test_callers: [{ name: 'Till', file: 'app/cart.ts', line: 4, caller: 'total' }],
      },
      {
        name: 'ring',
        file: 'lib/price.ts',
        line: 13,
        test_callers: [],
        non_test_callers: [{ name: 'ring', file: 'app/cart.ts', line: 4, caller: 'total' }],
      },
    ]);
    expect(hint).toMatch(/^review the symbols/);
  });

  test('a long answer is cut to the tokens the caller has room for, and says where', async () => {
    const changed_files = [world.at('lib/price.ts')];
    const whole = await world.call('blast_radius', { changed_files });
    const cut = await world.call('blast_radius', { changed_files, max_tokens: 150 });
    expect(whole.text.length).toBeGreaterThan(150 * 4);
    expect(cut.text.length).toBeLessThanOrEqual(150 * 4 + 3);
    expect(cut.json).toMatchObject({ summary: expect.any(String), changed_symbols: expect.any(Array) });
    expect(cut.meta).toMatchObject({ truncated: { max_tokens: 150, lists: expect.any(Object) } });
  });

  test('all symbols are taken when asked for, and only untested ones kept', async () => {
    const { json } = await world.call('blast_radius', {
      changed_files: [world.at('lib/price.ts')],
      scope: 'all',
      filter: 'untested',
    });
    const answer = outline(world, json);
    expect(answer.changed_symbols).toContainEqual({ name: 'rounded', file: 'lib/price.ts', line: 5 });
    const kept = answer.affected_symbols;
    expect(Array.isArray(kept) && kept.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['rounded', 'Till', 'ring']),
    );
    expect(JSON.stringify(kept)).not.toContain('"name":"lonely"');
    expect(Array.isArray(kept) && kept.some((symbol) => symbol.name === 'price')).toBe(false);
  });

  test('the users of the users are found when asked for', async () => {
    const { json } = await world.call('blast_radius', {
      changed_files: [world.at('lib/price.ts')],
      include_transitive: true,
    });
    expect(outline(world, json).transitive_callers).toEqual([
      { name: 'total', file: 'app/shop.ts', line: 4, caller: 'checkout' },
    ]);
  });

  test('a file that cannot be examined is a warning beside those that can', async () => {
    const files = [world.at('lib/none.ts'), world.at('app/shop.ts')];
    const { json, isError } = await world.call('blast_radius', { changed_files: files });
    expect(isError).toBe(false);
    expect(json).toMatchObject({
      changed_symbols: [{ name: 'checkout' }],
      warnings: [expect.stringContaining('lib/none.ts')],
    });
  });

  test.each([
    [{}, 'changed_files is required'],
    [{ changed_files: [] }, 'changed_files is required'],
    [{ changed_files: ['/etc/passwd'] }, 'is outside workspace root'],
    [{ changed_files: ['a'], scope: 'some' }, 'scope must be one of: exported, all'],
  ])('%j is refused: %s', async (input, sentence) => {
    const answer = await world.call('get_change_impact', input);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(sentence) });
  });
});

test('on python underscores hide, and a lock in the type is told', async () => {
  await using world = await ToolWorld.open(pythonFiles);
  const { json } = await world.call('blast_radius', { changed_files: [world.at('store/stock.py')] });
  const answer = outline(world, json);
  const names = Array.isArray(answer.changed_symbols) ? answer.changed_symbols.map(({ name }) => name) : [];
  expect(names).toEqual(expect.arrayContaining(['Stock', 'take', 'shown']));
  expect(names).not.toContain('_hidden');
  expect(answer.affected_symbols).toContainEqual({
    name: 'take',
    file: 'store/stock.py',
    line: 8,
    test_callers: [],
    non_test_callers: [{ name: 'take', file: 'main.py', line: 5, caller: 'main' }],
    sync_guarded: true,
  });
  expect(answer.affected_symbols).toContainEqual({
    name: 'shown',
    file: 'store/stock.py',
    line: 16,
    test_callers: [{ name: 'test_shown', file: 'tests/test_stock.py', line: 4 }],
    non_test_callers: [{ name: 'shown', file: 'main.py', line: 5, caller: 'main' }],
  });
});

test.skipIf(!isOnPath('gopls'))('on go capitals show, and a method is guarded by its type', async () => {
  await using world = await ToolWorld.open({
    'go.mod': 'module example.com/m\n\ngo 1.22\n',
    'count.go':
      'package m\n\nimport "sync"\n\ntype Counter struct {\n\tmu sync.Mutex\n\tn  int\n}\n\nfunc (c *Counter) Add() int {\n\tc.n++\n\treturn hidden(c.n)\n}\n\nfunc hidden(n int) int { return n }\n',
    'use/use.go':
      'package use\n\nimport "example.com/m"\n\nfunc Use() int {\n\tvar c m.Counter\n\treturn c.Add()\n}\n',
    'count_test.go':
      'package m\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tvar c Counter\n\tc.Add()\n}\n',
  });
  const { json } = await world.call('blast_radius', { changed_files: [world.at('count.go')] });
  const answer = outline(world, json);
  expect(answer.affected_symbols).toContainEqual({
    name: '(*Counter).Add',
    file: 'count.go',
    line: 10,
    test_callers: [{ name: 'TestAdd', file: 'count_test.go', line: 5 }],
    non_test_callers: [{ name: '(*Counter).Add', file: 'use/use.go', line: 7, caller: 'Use' }],
    sync_guarded: true,
  });
  expect(JSON.stringify(answer.changed_symbols)).not.toContain('hidden');
});

describe('changes', () => {
  let world: ToolWorld;
  beforeAll(async () => {
    world = await ToolWorld.open(typescriptFiles);
    const { root } = world.world;
    await git(root, 'init', '-q', '-b', 'main');
    await git(root, 'add', '-A');
    await git(root, 'commit', '-q', '-m', 'one');
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('without any there is nothing to tell', async () => {
    const { json } = await world.call('detect_changes');
    expect(json).toEqual({ changed_files: [], affected_symbols: [], summary: 'No changed files detected.' });
  });

  test('that are not staged carry their risk, files git does not know yet included', async () => {
    await world.world.write('lib/price.ts', `${typescriptFiles['lib/price.ts']}// changed\n`);
    await world.world.write('app/fresh.ts', 'export const fresh = 1;\n');
    const { json, hint } = await world.call('detect_changes');
    const answer = outline(world, json);
    expect(answer).toMatchObject({ scope: 'unstaged', changed_files: ['lib/price.ts', 'app/fresh.ts'] });
    expect(answer.changed_symbols).toEqual([
      { name: 'price', file: 'lib/price.ts', line: 1, risk: 'high' },
      { name: 'lonely', file: 'lib/price.ts', line: 9, risk: 'low' },
      { name: 'Till', file: 'lib/price.ts', line: 11, risk: 'high' },
      { name: 'ring', file: 'lib/price.ts', line: 13, risk: 'high' },
      { name: 'fresh', file: 'app/fresh.ts', line: 1, risk: 'low' },
    ]);
    expect(answer.affected_symbols).toContainEqual(expect.objectContaining({ name: 'Till', risk: 'high' }));
    expect(hint).toBe('review the 3 high-risk symbol(s) before you commit.');
  });

  test('that are staged or committed are told apart', async () => {
    const { root } = world.world;
    await world.world.write('app/cart.ts', `${typescriptFiles['app/cart.ts']}// changed\n`);
    await git(root, 'add', 'app/cart.ts');
    const staged = await world.call('detect_changes', { workspace_root: root, scope: 'staged' });
    expect(outline(world, staged.json)).toMatchObject({
      scope: 'staged',
      changed_files: ['app/cart.ts'],
      changed_symbols: [{ name: 'total', risk: 'medium' }],
    });
    await git(root, 'commit', '-q', '-m', 'two');
    for (const range of [undefined, 'HEAD', 'HEAD~1..HEAD']) {
      const committed = await world.call('detect_changes', { scope: 'committed', ...(range && { range }) });
      expect(outline(world, committed.json)).toMatchObject({ changed_files: ['app/cart.ts'] });
    }
  });

  test('of settings alone hold no source', async () => {
    const { root } = world.world;
    await git(root, 'add', '-A');
    await git(root, 'commit', '-q', '-m', 'three');
    await world.world.write('tsconfig.json', `${typescriptFiles['tsconfig.json']}\n`);
    const { json } = await world.call('detect_changes');
    expect(json).toMatchObject({ summary: 'No recognized source files among changed files.' });
  });

  test.each([
    [{ scope: 'all' }, 'invalid scope "all": must be unstaged, staged, or committed'],
    [{ scope: 'committed', range: '--output=/tmp/x' }, 'must not begin with "-"'],
    [{ scope: 'committed', range: 'nowhere..HEAD' }, 'git diff failed: '],
  ])('%j is refused: %s', async (input, sentence) => {
    const answer = await world.call('detect_changes', input);
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(sentence) });
  });
});

test('outside of a repository there are no changes to detect', async () => {
  await using world = await ToolWorld.open({ 'a.ts': '' });
  const answer = await world.call('detect_changes');
  expect(answer).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^git diff failed: .*[Nn]ot a git repo/),
  });
});

describe('other repositories', () => {
  let world: ToolWorld;
  let consumer: string;
  beforeAll(async () => {
    world = await ToolWorld.open(typescriptFiles);
    consumer = await realpath(await mkdtemp(join(tmpdir(), 'forerun-consumer-')));
    await mkdir(join(consumer, 'src'));
    await writeFile(
      join(consumer, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, lib: ['es2023'], module: 'esnext', moduleResolution: 'bundler' },
        include: ['src'],
      }),
    );
    await writeFile(
      join(consumer, 'src/use.ts'),
      `import { price } from '${world.at('lib/price')}';\n\nexport const two = price(2);\n`,
    );
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await rm(consumer, { recursive: true, force: true });
  });

  test('are searched besides the library, and one that is not there is a warning', async () => {
    const { json } = await world.call('get_cross_repo_references', {
      symbol_file: world.at('lib/price.ts'),
      line: 1,
      column: 17,
      consumer_roots: [consumer, '/nowhere/at/all'],
    });
    const use = (line: number, column: number) => ({ file: join(consumer, 'src/use.ts'), line, column });
    expect(json).toMatchObject({
      symbol: 'price',
      consumer_references: { [consumer]: [use(1, 10), use(3, 20)], '/nowhere/at/all': [] },
      library_references: expect.arrayContaining([{ file: world.at('app/cart.ts'), line: 4, column: 10 }]),
      references: expect.arrayContaining([{ ...use(3, 20), repo: consumer }]),
      summary: expect.stringMatching(/^Found \d+ references across 2 repos\.$/),
      warnings: [expect.stringContaining('/nowhere/at/all')],
    });
  });

  test.each([
    [{ line: 1, column: 1, consumer_roots: ['/x'] }, 'symbol_file is required'],
    [
      { symbol_file: 'x.ts', line: 1, column: 1, consumer_roots: [] },
      'consumer_roots must be non-empty; use find_references for single-repo lookup',
    ],
  ])('%j is refused: %s', async (input, sentence) => {
    const answer = await world.call('get_cross_repo_references', input);
    expect(answer).toMatchObject({ isError: true, text: sentence });
  });
});

test('without a workspace changes need a root, and over the wire all three answer', async () => {
  await using world = await ToolWorld.open(typescriptFiles);
  await using connection = await McpConnection.open();
  const nowhere = await connection.call('detect_changes');
  expect(nowhere).toMatchObject({
    isError: true,
    text: 'workspace_root is required when no LSP root is set',
  });
  const file = world.at('lib/price.ts');
  const radius = await connection.call('blast_radius', { changed_files: [file] });
  expect(radius.json).toMatchObject({ indexed: true, test_files: [world.at('lib/price.test.ts')] });
  expect(radius.content[1]).toMatch(/^Next step: /);
  const elsewhere = await connection.call('get_cross_repo_references', {
    symbol_file: file,
    line: 1,
    column: 17,
    consumer_roots: [world.at('app')],
  });
  expect(elsewhere.json).toMatchObject({
    symbol: 'price',
    consumer_references: {
      [world.at('app')]: [
        { file: world.at('app/cart.ts'), line: 1, column: 10 },
        { file: world.at('app/cart.ts'), line: 4, column: 10 },
      ],
    },
  });
});
