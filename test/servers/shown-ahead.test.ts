/** What a server was shown ahead of a lease is used for exactly that overlay on exactly that disk. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkOverlay } from '../../src/evaluation/local-evaluator.ts';
import type { ProjectionPlan } from '../../src/live/projection-plan.ts';
import { showAhead } from '../../src/live/server-lender.ts';
import { languageId } from '../../src/servers/language.ts';
import { calm, World } from '../support/world.ts';

const config = JSON.stringify({
  compilerOptions: { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', types: [] },
});

const value = "import { limit } from './limit';\nexport const value: number = limit;\n";

const files = {
  'one/tsconfig.json': config,
  'one/value.ts': value,
  'one/limit.ts': 'export const limit: number = 1;\n',
  'two/tsconfig.json': config,
  'two/other.ts': "import { value } from '../one/value';\nexport const other = value;\n",
};

const broken = { text: `${value}const wrong: number = 'a';\n`, code: '3 TS2322' };
const otherwise = { text: `${value}\nconst none = missing;\n`, code: '4 TS2304' };

describe('a server that was shown an overlay ahead', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
    // The projects are listed and the baseline is known from here on.
    await judged(world, `// begun\n${value}`);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('answers about it', async () => {
    const plan = await planOf(world, broken.text);
    await showAhead(world.live.servers.pools, plan, calm);
    expect(await answersOf(world, plan)).toEqual([broken.code]);
  });

  test('answers about another overlay that is leased first, and then about the first', async () => {
    const [first, second] = [await planOf(world, broken.text), await planOf(world, otherwise.text)];
    await showAhead(world.live.servers.pools, first, calm);
    expect(await answersOf(world, second)).toEqual([otherwise.code]);
    expect(await answersOf(world, first)).toEqual([broken.code]);
  });

  test('answers about the overlay that was shown last, although the first is still being read', async () => {
    const [first, second] = [await planOf(world, broken.text), await planOf(world, otherwise.text)];
    await showAhead(world.live.servers.pools, first, calm);
    await showAhead(world.live.servers.pools, second, calm);
    const answers = await Promise.all([answersOf(world, first), answersOf(world, second)]);
    expect(answers).toEqual([[broken.code], [otherwise.code]]);
  });

  test('takes in what changes on disk before the lease', async () => {
    const plan = await planOf(world, `// more\n${value}`);
    await showAhead(world.live.servers.pools, plan, calm);
    await world.write('one/limit.ts', "export const limit = 'none';\n");
    expect(await answersOf(world, plan)).toEqual(['3 TS2322']);
    await world.write('one/limit.ts', files['one/limit.ts']);
    expect(await answersOf(world, await planOf(world, `// again\n${value}`))).toEqual([]);
  });

  test('judges contradictory edits that take turns', async () => {
    const texts = [broken.text, `// none\n${value}`, otherwise.text, `// nothing\n${value}`];
    const verdicts = await Promise.all([...texts, ...texts].map((text) => judged(world, text)));
    expect(verdicts).toEqual(['broken', 'clean', 'broken', 'clean', 'broken', 'clean', 'broken', 'clean']);
  });
});

async function overlayOf(world: World, text: string) {
  const path = world.workspace.path('one/value.ts');
  return world.live.emptyOverlay().write(path, { kind: 'text', text });
}

async function planOf(world: World, text: string): Promise<ProjectionPlan> {
  const asked = { language: languageId('typescript'), scope: 'workspace' } as const;
  return world.live.servers.planProjection(await overlayOf(world, text), asked, calm);
}

/** The errors of the shown file by line and code, asked as an evaluation asks. */
async function answersOf(world: World, plan: ProjectionPlan): Promise<readonly string[]> {
  const paths = [world.workspace.path('one/value.ts')];
  await using lease = await world.live.servers.lease(plan, calm);
  const asked = { timeoutMs: 60_000, sameFiles: true, heldOnly: true, hintsFor: new Set<never>() };
  const answers = await lease.diagnostics(paths, asked, calm);
  return answers.flatMap(({ diagnostics }) =>
    diagnostics.map(({ range, code }) => `${range.start.line + 1} TS${code}`),
  );
}

async function judged(world: World, text: string): Promise<string> {
  const asked = { overlay: await overlayOf(world, text), scope: 'workspace', timeoutMs: 60_000 } as const;
  return (await checkOverlay(world.live, asked, calm)).verdict.kind;
}
