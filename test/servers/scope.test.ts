/** A server that has loaded a part of a large workspace says what one that has loaded everything says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluateOverlay } from '../../src/evaluation/evaluate-overlay.ts';
import { languageId } from '../../src/servers/language.ts';
import type { Scope } from '../../src/servers/projection.ts';
import { monorepo } from '../support/monorepo.ts';
import { ToolWorld } from '../support/tool-world.ts';
import { describeTree } from '../support/tree-hash.ts';
import { calm, outline, World } from '../support/world.ts';

type Outline = ReturnType<typeof outline>;

interface Mutation {
  readonly path: string;
  readonly replace: string;
  readonly with: string;
}

/** Edits of one file each. What they break, and where, is for the server that knows everything to say. */
const mutations: readonly Mutation[] = [
  ...[0, 1, 3, 8].flatMap((at) => [
    { path: `packages/p${at}/src/m20.ts`, replace: 'step: number = 1', with: "step: number = 'x'" },
    { path: `packages/p${at}/src/m49.ts`, replace: 'value: number)', with: 'value: string)' },
    { path: `packages/p${at}/src/m49.ts`, replace: 'f49(', with: 'g49(' },
    { path: `packages/p${at}/src/index.ts`, replace: 'top', with: 'bottom' },
    { path: `packages/p${at}/src/m7.ts`, replace: '+ step', with: '' },
  ]),
  { path: 'packages/p3/src/globals.ts', replace: 'number = leaked', with: 'string = leaked' },
  { path: 'packages/p3/src/globals.ts', replace: 'registry.five', with: 'registry.six' },
  { path: 'packages/p3/src/globals.ts', replace: 'string = ambient', with: 'number = ambient' },
  { path: 'packages/p9/src/shims/ambient.d.ts', replace: 'string', with: 'number' },
  { path: 'packages/p5/src/augment/window.ts', replace: 'five', with: 'six' },
  {
    path: 'packages/p0/src/m3.ts',
    replace: 'import',
    with: 'declare global { const ambient: number }\nimport',
  },
  { path: 'packages/p3/src/m1.skip.ts', replace: 'number', with: 'string' },
  { path: 'packages/p10/src/m0.ts', replace: 'return', with: 'leaked.toFixed(); undeclared(); return' },
  {
    path: 'packages/p10/src/m0.ts',
    replace: 'export',
    with: "import { top } from '@m/p4';\nexport const four: string = top(1);\nexport",
  },
  { path: 'packages/p10/src/m0.ts', replace: 'export', with: "import { none } from '@m/p4';\nexport" },
];

describe('typescript', () => {
  let scoped: World;
  let whole: World;
  let before: readonly string[] = [];

  beforeAll(async () => {
    whole = await World.open(monorepo(), { load: 'everything' });
    scoped = await World.open({}, { root: whole.root });
    before = await describeTree(whole.root);
  });
  /** What the server that knows everything says, asked once. */
  const said = new Map<string, Outline>();
  const expected = async (mutation: Mutation, scope: Scope): Promise<Outline> => {
    const key = JSON.stringify([mutation, scope]);
    const known = said.get(key) ?? (await judge(whole, mutation, scope));
    said.set(key, known);
    return known;
  };
  afterAll(async () => {
    await scoped?.[Symbol.asyncDispose]();
    await whole?.[Symbol.asyncDispose]();
  });

  test('the first edit has a part of the workspace loaded', async () => {
    const [mutation] = mutations;
    if (mutation) await judge(scoped, mutation, 'file');
    expect(leftOut(scoped)).toBeGreaterThan(300);
  });

  test.each(mutations.map((each) => [each.path, each.replace, each.with, each] as const))(
    '%s: %s -> %s is judged the same',
    async (_, __, ___, mutation) => {
      // A server of its own for every edit: the narrowest scope it can have.
      await scoped.live.servers.restart(undefined);
      for (const scope of ['file', 'workspace'] as const) {
        expect(await judge(scoped, mutation, scope)).toEqual(await expected(mutation, scope));
      }
    },
  );

  test('the edits are worth their name', async () => {
    let crossing = 0;
    for (const mutation of mutations) {
      const { introduced } = await expected(mutation, 'workspace');
      if (introduced.some((line) => !line.startsWith(mutation.path))) crossing += 1;
    }
    expect(mutations.length).toBeGreaterThanOrEqual(30);
    expect(crossing).toBeGreaterThan(10);
  });

  test('one server that is asked about all of them in turn stays right while its scope grows', async () => {
    await scoped.live.servers.restart(undefined);
    for (const mutation of mutations) {
      expect(await judge(scoped, mutation, 'workspace')).toEqual(await expected(mutation, 'workspace'));
    }
  });

  test.each([
    ['where everything is in scope', 'packages/p0/src/new.ts'],
    ['in a directory out of scope', 'packages/p11/src/new.ts'],
    ['in a directory that was not there', 'packages/p11/src/far/away/new.ts'],
  ])('a new file %s is judged the same', async (_, path) => {
    await scoped.live.servers.restart(undefined);
    const text =
      "import { top } from '@m/p4';\nexport const four: string = top(ambient);\nexport const one = leaked;\n";
    const judgeNew = async ({ live, workspace }: World): Promise<Outline> => {
      const overlay = live.emptyOverlay().write(workspace.path(path), { kind: 'text', text });
      const language = languageId('typescript');
      return outline(
        await evaluateOverlay(live, { overlay, language, scope: 'workspace', timeoutMs: 30_000 }, calm),
      );
    };
    const said = await judgeNew(whole);
    expect(said.introduced).toHaveLength(2);
    expect(await judgeNew(scoped)).toEqual(said);
  });

  test('what becomes visible everywhere on disk is taken in, wherever it lies', async () => {
    await scoped.live.servers.restart(undefined);
    const mutation = { path: 'packages/p0/src/m0.ts', replace: 'step;', with: 'step + late;' };
    expect((await judge(scoped, mutation, 'file')).introduced.join()).toContain("'late'");
    await scoped.write('packages/p11/types/late.d.ts', 'declare const late: number;\n');
    expect((await judge(scoped, mutation, 'file')).introduced).toEqual([]);
    await scoped.write('packages/p11/types/late.d.ts', 'declare const late: string;\n');
    expect((await judge(scoped, mutation, 'file')).introduced.join()).toContain('string');
    expect(leftOut(scoped)).toBeGreaterThan(300);
    await scoped.write('packages/p11/types/late.d.ts', 'export {};\n');
    expect((await judge(scoped, mutation, 'file')).introduced.join()).toContain("'late'");
  });

  test('a stricter configuration on disk counts at once', async () => {
    const config = await scoped.read('tsconfig.json');
    const mutation = { path: 'packages/p0/src/m0.ts', replace: 'value: number)', with: 'value)' };
    expect((await judge(scoped, mutation, 'file')).introduced.join()).toContain('implicitly');
    await scoped.write('tsconfig.json', config.replace('"target"', '"noImplicitAny": false, "target"'));
    expect((await judge(scoped, mutation, 'file')).introduced).toEqual([]);
    await scoped.write('tsconfig.json', config);
    expect((await judge(scoped, mutation, 'file')).introduced.join()).toContain('implicitly');
  });

  test('a question about the whole workspace is answered from all of it', async () => {
    await scoped.live.servers.restart(undefined);
    await using lease = await scoped.view
      .fork(scoped.live.emptyOverlay())
      .lease(languageId('typescript'), calm);
    await lease.open([scoped.workspace.path('packages/p0/src/m0.ts')]);
    expect(leftOut(scoped)).toBeGreaterThan(300);
    await lease.include('everything');
    expect(leftOut(scoped)).toBe(0);
    const found = await lease.server.request('workspace/symbol', { query: 'used' }, {}, calm);
    expect(JSON.stringify(found)).toContain('packages/p7/src/leak/use.ts');
  });

  test('places chosen by name are loaded first', async () => {
    const place = scoped.workspace.path('packages/p4');
    await scoped.live.servers.start(languageId('typescript'), { scope: [place] }, calm);
    const [mutation] = mutations;
    if (mutation) expect(await judge(scoped, mutation, 'file')).toEqual(await judge(whole, mutation, 'file'));
    expect(leftOut(scoped)).toBeGreaterThan(300);
  });

  test('a server that is killed leaves nothing behind, and the next one starts as narrow', async () => {
    const [mutation] = mutations;
    for (const replica of scoped.live.servers.pools.flatMap((pool) => pool.replicas)) {
      if (replica.server.pid !== undefined) process.kill(replica.server.pid, 'SIGKILL');
      await replica.server.exited;
    }
    if (mutation) expect(await judge(scoped, mutation, 'file')).toEqual(await judge(whole, mutation, 'file'));
    expect(leftOut(scoped)).toBeGreaterThan(300);
  });

  test('no file of the tree is any different afterwards', async () => {
    const after = await describeTree(whole.root);
    expect(after.filter((line) => !line.startsWith('packages/p11/types/'))).toEqual(before);
  });
});

test('python: places chosen by name are all that is searched, and the answer can say so', async () => {
  const files = {
    'near/__init__.py': '',
    'near/a.py': 'def near_one() -> int:\n    return 1\n',
    'far/__init__.py': '',
    'far/b.py': 'from near.a import near_one\n\n\ndef far_one() -> int:\n    return near_one()\n',
  };
  await using world = await World.open(files);
  const python = languageId('python');
  await world.live.servers.start(python, { scope: [world.workspace.path('near')] }, calm);
  const session = await world.session('python');
  await world.replace(session, 'near/a.py', {
    replace: '-> int:\n    return 1',
    with: "-> str:\n    return ''",
  });
  const { introduced, confidence } = outline(await world.evaluate(session, 'workspace'));
  expect([introduced.map((line) => line.split(' ')[0]), confidence]).toEqual([['far/b.py:5:12'], 'high']);
  await using lease = await world.view.fork(world.live.emptyOverlay()).lease(python, calm);
  await lease.include('everything');
  expect(lease.leftOut).toBe(2);
});

test.each([
  ['a path', 'near', 1],
  ['an absolute path', (root: string) => `${root}/near`, 1],
  ['a list', ['near', 'other'], 0],
  ['a list as text', '["near", "other"]', 0],
  ['nothing', '', 0],
])('start_lsp takes a scope as %s', async (_, given, leftOut) => {
  await using tools = await ToolWorld.open({
    'near/a.py': 'near_name = 1\n',
    'other/b.py': 'other_name = 2\n',
  });
  const { root } = tools.world;
  const scope = typeof given === 'function' ? given(root) : given;
  const started = await tools.call('start_lsp', { root_dir: root, language_id: 'python', scope });
  expect(started.text).toBe('LSP server started successfully');
  const { meta } = await tools.call('find_symbol', { query: 'near_name' });
  expect(meta.incomplete).toEqual(
    leftOut === 0 ? undefined : { files_left_out: leftOut, why: 'outside the scope given to start_lsp' },
  );
});

test.each([
  ['outside the workspace', '../elsewhere', 'outside workspace root'],
  ['no list', '["near', 'scope must be a path or a list of paths'],
  ['a list of something else', '[1]', 'scope must be a path or a list of paths'],
])('a scope that is %s is refused with the reason', async (_, scope, reason) => {
  await using tools = await ToolWorld.open({ 'near/a.py': '' });
  const answer = await tools.call('start_lsp', { root_dir: tools.world.root, language_id: 'python', scope });
  expect([answer.isError, answer.text]).toEqual([
    true,
    expect.stringContaining('failed to generate scope config: '),
  ]);
  expect(answer.text).toContain(reason);
});

async function judge(world: World, mutation: Mutation, scope: Scope): Promise<Outline> {
  const session = await world.session('typescript');
  await world.replace(session, mutation.path, mutation);
  const evaluation = outline(await world.evaluate(session, scope));
  await world.sessions.destroy(session.id);
  return evaluation;
}

function leftOut({ live }: World): number {
  const replicas = live.servers.pools.flatMap((pool) => pool.replicas);
  return Math.max(0, ...replicas.map(({ projection }) => projection.leftOut ?? 0));
}
