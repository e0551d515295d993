/** Nothing seen under one overlay is attributed to another. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { editText } from '../../src/overlay/overlay.ts';
import { languageId } from '../../src/servers/language.ts';
import { rounds } from '../support/soak.ts';
import { calm, outline, World } from '../support/world.ts';

const typescript = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      lib: ['es2023'],
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
    },
  }),
  'value.ts': 'export const value: number = 1;\n',
  'user.ts':
    "import { value } from './value';\nexport const half: number = value / 2;\nexport const old: string = 7;\n",
};

let world: World;
beforeAll(async () => {
  world = await World.open(typescript);
});
afterAll(() => world[Symbol.asyncDispose]());

/** What a plain tool sees: the diagnostics of the disk. */
async function plainErrors(path: string): Promise<readonly string[]> {
  await using lease = await world.view.lease(languageId('typescript'), calm);
  const [answer] = await lease.diagnostics([world.workspace.path(path)], { timeoutMs: 30_000 }, calm);
  return answer?.diagnostics.map(({ message }) => message) ?? [];
}

const turns = rounds({ everyRun: 30, soak: 100 });

test(`contradictory sessions and plain tools, run at once ${turns} times, never see one another`, async () => {
  const asText = await world.session('typescript');
  await world.replace(asText, 'value.ts', { replace: 'number = 1', with: "string = 'a'" });
  const asFlag = await world.session('typescript');
  await world.replace(asFlag, 'value.ts', { replace: 'number = 1', with: 'boolean = true' });
  const repaired = await world.session('typescript');
  await world.replace(repaired, 'user.ts', { replace: 'old: string = 7', with: "old: string = '7'" });
  const arithmetic = 'The left-hand side of an arithmetic operation';
  const assignment = "Type 'number' is not assignable to type 'string'.";
  for (let round = 0; round < turns; round += 1) {
    const [asString, asBoolean, asMended, plain, plainValue] = await Promise.all([
      world.evaluate(asText, 'workspace'),
      world.evaluate(asFlag, 'workspace'),
      world.evaluate(repaired, 'workspace'),
      plainErrors('user.ts'),
      plainErrors('value.ts'),
    ]);
    for (const evaluation of [asString, asBoolean]) {
      expect(evaluation.introduced.map(({ path }) => path)).toEqual(['user.ts']);
      expect(evaluation.introduced[0]?.diagnostic.message).toContain(arithmetic);
      expect(evaluation).toMatchObject({ confidence: 'high', resolved: [] });
    }
    expect(outline(asMended)).toMatchObject({ introduced: [], resolved: [`user.ts:3:14 ${assignment}`] });
    expect([plain, plainValue]).toEqual([[assignment], []]);
  }
});

test('after discard, destroy, a patch-only commit and an evaluation, the server shows the disk', async () => {
  const endings = [
    async () => {
      const session = await world.session('typescript');
      await world.replace(session, 'value.ts', { replace: 'number = 1', with: "string = 'a'" });
      await world.evaluate(session);
      await session.discard(calm);
    },
    async () => {
      const session = await world.session('typescript');
      await world.replace(session, 'value.ts', { replace: 'number = 1', with: "string = 'a'" });
      await world.sessions.destroy(session.id);
    },
    async () => {
      const session = await world.session('typescript');
      await world.replace(session, 'value.ts', { replace: 'number = 1', with: "string = 'a'" });
      await session.commit({ destination: { kind: 'patch' }, patchFormat: 'unified' }, calm);
    },
  ];
  for (const end of endings) {
    await end();
    await using lease = await world.view.lease(languageId('typescript'), calm);
    for (const document of lease.server.documents.all()) {
      const path = world.workspace.fromUri(document.uri);
      expect(document.text).toBe(path && (await world.read(path)));
    }
  }
});

test('document versions only grow, also when an overlay is laid off', async () => {
  const seen: number[] = [];
  const session = await world.session('typescript');
  for (const text of ['2', '3', '4']) {
    await session.transform(
      (overlay) =>
        editText(overlay, world.workspace.path('value.ts'), () => `export const value: number = ${text};\n`),
      calm,
    );
    await using lease = await world.view.fork(session.overlay).lease(languageId('typescript'), calm);
    const uri = lease.uri(world.workspace.path('value.ts'));
    seen.push(lease.server.documents.get(uri)?.version ?? 0);
  }
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(new Set(seen).size).toBe(3);
});

test('a server that is killed mid-evaluation is a named failure, and the session comes through', async () => {
  const session = await world.session('typescript');
  await world.replace(session, 'value.ts', { replace: 'number = 1', with: "string = 'a'" });
  await world.evaluate(session, 'workspace');
  const pid = world.live.servers.pools.flatMap(({ replicas }) => replicas)[0]?.server.pid;
  if (pid === undefined) throw new Error('no server is running');
  const evaluation = world.evaluate(session, 'workspace').then(
    (verdict) => ({ verdict }),
    (failure: unknown) => ({ failure }),
  );
  process.kill(pid, 'SIGKILL');
  const outcome = await evaluation;
  // The kill may land after the answer; what must not be is a clean verdict.
  if ('verdict' in outcome) expect(outcome.verdict.netDelta).toBe(1);
  else expect(outcome.failure).toMatchObject({ code: 'lsp/server-crashed' });
  expect(await world.evaluate(session, 'workspace')).toMatchObject({ netDelta: 1, confidence: 'high' });
});

test('a file changed on disk is judged as it is now, by sessions and tools alike', async () => {
  await world.write('late.ts', "import { value } from './value';\nexport const third: number = value / 3;\n");
  const session = await world.session('typescript');
  await world.replace(session, 'late.ts', { replace: 'third: number', with: 'third: string' });
  expect(await world.evaluate(session)).toMatchObject({ netDelta: 1, confidence: 'high' });
  await world.write('late.ts', "import { value } from './value';\nexport const third: string = value / 4;\n");
  expect(await plainErrors('late.ts')).toHaveLength(1);
  const stale = await world.evaluate(session);
  expect(stale.confidence).toBe('partial');
  expect(stale.doubts.join()).toContain('late.ts');
  await expect(
    session.commit({ destination: { kind: 'disk', onConflict: 'refuse' }, patchFormat: 'unified' }, calm),
  ).rejects.toMatchObject({ code: 'session/conflict', paths: ['late.ts'] });
  expect(session.state.kind).toBe('evaluated');
});
