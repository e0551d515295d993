/** Clients of one broker, each with its own hypothetical world on the same warm server. */
import { expect, test } from 'vitest';
import { languageId } from '../../src/servers/language.ts';
import { BrokerWorld } from '../support/broker-world.ts';
import { rounds } from '../support/soak.ts';
import { calm, outline, type World } from '../support/world.ts';

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

const python = {
  'value.py': 'value: int = 1\n',
  'user.py': 'from value import value\n\nhalf: float = value / 2\nold: str = 7\n',
};

/** What a plain tool of a client sees: the diagnostics of the disk. */
async function plainErrors(world: World, language: string, path: string): Promise<readonly string[]> {
  await using lease = await world.view.lease(languageId(language), calm);
  const [answer] = await lease.diagnostics([world.workspace.path(path)], { timeoutMs: 30_000 }, calm);
  return answer?.diagnostics.map(({ message }) => message.split('\n')[0] ?? '') ?? [];
}

const cases = [
  {
    language: 'typescript',
    files: typescript,
    rounds: rounds({ everyRun: 25, soak: 100 }),
    value: 'value.ts',
    user: 'user.ts',
    texts: ["string = 'a'", 'boolean = true'],
    original: 'number = 1',
    old: 'old: string = 7',
    repaired: "old: string = '7'",
    broken: 'arithmetic operation',
    known: "Type 'number' is not assignable to type 'string'.",
  },
  {
    language: 'python',
    files: python,
    rounds: rounds({ everyRun: 5, soak: 15 }),
    value: 'value.py',
    user: 'user.py',
    texts: ["str = 'a'", 'None = None'],
    original: 'int = 1',
    old: 'old: str = 7',
    repaired: "old: str = '7'",
    broken: 'Operator "/" not supported',
    known: 'Type "Literal[7]" is not assignable to declared type "str"',
  },
] as const;

test.each([
  { poolSize: 1, ...cases[0] },
  { poolSize: 2, ...cases[0] },
  { poolSize: 1, ...cases[1] },
])(
  '$language on $poolSize server: contradictory clients and plain tools never see one another',
  async (given) => {
    const { language, value, user, original } = given;
    await using house = await BrokerWorld.open(given.files, { language, poolSize: given.poolSize });
    const [one, other] = [await house.client(), await house.client(2)];
    const asText = await one.session(language);
    await one.replace(asText, value, { replace: original, with: given.texts[0] });
    const asOther = await other.session(language);
    await other.replace(asOther, value, { replace: original, with: given.texts[1] });
    const repaired = await other.session(language);
    await other.replace(repaired, user, { replace: given.old, with: given.repaired });
    for (let round = 0; round < given.rounds; round += 1) {
      const [first, second, third, plain, plainValue] = await Promise.all([
        one.evaluate(asText, 'workspace'),
        other.evaluate(asOther, 'workspace'),
        other.evaluate(repaired, 'workspace'),
        plainErrors(one, language, user),
        plainErrors(other, language, value),
      ]);
      for (const evaluation of [first, second]) {
        expect(evaluation.introduced.map(({ path }) => path)).toEqual([user]);
        expect(evaluation.introduced[0]?.diagnostic.message).toContain(given.broken);
        expect(evaluation).toMatchObject({ confidence: 'high', resolved: [] });
      }
      expect(outline(third)).toMatchObject({ introduced: [] });
      expect(outline(third).resolved[0]).toContain(given.known);
      expect([plain, plainValue]).toEqual([[given.known], []]);
    }
    expect(house.broker.clients).toBeGreaterThanOrEqual(2);
    expect(house.pids.length).toBeLessThanOrEqual(given.poolSize);
  },
);

test('what has just changed on disk is known to every client, and to one that comes only now', async () => {
  await using house = await BrokerWorld.open(typescript, { language: 'typescript' });
  const [one, other] = [await house.client(), await house.client()];
  const known = "Type 'number' is not assignable to type 'string'.";
  const arithmetic = expect.stringContaining('arithmetic operation');
  for (let round = 0; round < 10; round += 1) {
    const isBroken = round % 2 === 0;
    await house.keeper.write('value.ts', `export const value${isBroken ? " = 'a'" : ': number = 1'};\n`);
    const late = await house.client();
    const seen = await Promise.all(
      [one, other, late].map((world) => plainErrors(world, 'typescript', 'user.ts')),
    );
    for (const errors of seen) expect(errors).toEqual(isBroken ? [arithmetic, known] : [known]);
  }
  // A file nobody has asked about before, in a directory nobody has seen.
  await house.keeper.write(
    'deep/fresh.ts',
    "import { value } from '../value';\nexport const s: string = value;\n",
  );
  const late = await house.client();
  for (const world of [late, one, other]) {
    expect(await plainErrors(world, 'typescript', 'deep/fresh.ts')).toEqual([known]);
  }
});

test('what one client commits is there for the next question of another', async () => {
  await using house = await BrokerWorld.open(typescript, { language: 'typescript' });
  const [one, other] = [await house.client(), await house.client()];
  expect(await plainErrors(other, 'typescript', 'user.ts')).toHaveLength(1);
  const session = await one.session('typescript');
  await one.replace(session, 'value.ts', { replace: 'value: number = 1', with: 'value: boolean = true' });
  await one.evaluate(session, 'workspace');
  const destination = { kind: 'disk', onConflict: 'refuse' } as const;
  await session.commit({ destination, patchFormat: 'unified' }, calm);
  expect(await plainErrors(other, 'typescript', 'user.ts')).toHaveLength(2);
});

test('clients of a broker hear every project that holds a file, also one that is new on disk', async () => {
  const compilerOptions = {
    strict: true,
    lib: ['es2023'],
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
  };
  const config = (more: object, include: string) =>
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, include: [include] });
  await using house = await BrokerWorld.open(
    {
      'tsconfig.json': config({ noUnusedParameters: true }, 'src'),
      'src/value.ts': 'export function value(text: string): number {\n  return text.length;\n}\n',
      'tools/user.ts': "import { value } from '../src/value';\nexport const half = value('a') / 2;\n",
      'scratch.ts': 'export const scratch = 1;\n',
    },
    { language: 'typescript' },
  );
  const client = await house.client();
  const judged = async (path: string, replace: string, text: string) => {
    const session = await client.session('typescript');
    await client.replace(session, path, { replace, with: text });
    return client.evaluate(session, 'workspace');
  };
  const errors = async () => {
    const { introduced } = await judged('src/value.ts', 'text: string', 'text: string, more: number');
    return introduced.map(({ path, diagnostic }) => `${path} ${diagnostic.code}`);
  };
  expect(await errors()).toEqual(['src/value.ts 6133']);
  await house.keeper.write('tools/tsconfig.json', config({}, '.'));
  expect(await errors()).toEqual(['src/value.ts 6133', 'tools/user.ts 2554']);
  const broken = await judged('src/value.ts', 'text: string', 'text: string, more: number');
  expect(broken.confidence).toBe('high');
  expect(await judged('src/value.ts', 'return', '// why\n  return')).toMatchObject({
    introduced: [],
    confidence: 'high',
  });
  expect((await judged('scratch.ts', '1', '2')).doubts.join()).toContain('No project checks scratch.ts');
});
