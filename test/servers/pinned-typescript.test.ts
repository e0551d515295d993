/**
 * A trusted workspace is judged by the TypeScript that it pins. In a mount that binary could come from the change, so it runs
 * confined there; what it says of projects must arrive all the same.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkOverlay } from '../../src/evaluation/local-evaluator.ts';
import { isIsolationPossible } from '../support/isolation.ts';
import { calm, World } from '../support/world.ts';

const native = `node_modules/@typescript/typescript-${process.platform}-${process.arch}`;

const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', types: [] };
const files = {
  'tsconfig.json': JSON.stringify({ compilerOptions, include: ['app'] }),
  'app/value.ts': 'export const value: number = 1;\n',
  'node_modules/typescript/package.json': JSON.stringify({ name: 'typescript', version: '7.0.2' }),
};

let world: World;
beforeAll(async () => {
  world = await World.open(files, { trust: 'trusted' });
  const target = join(world.root, native);
  await mkdir(dirname(target), { recursive: true });
  await cp(join(import.meta.dirname, '../..', native), target, { recursive: true });
});
afterAll(() => world[Symbol.asyncDispose]());

function judgedOptions(changed: Readonly<Record<string, unknown>>) {
  const text = JSON.stringify({ compilerOptions: { ...compilerOptions, ...changed }, include: ['app'] });
  return judged('tsconfig.json', text);
}

async function judged(file: string, text: string) {
  const path = world.workspace.path(file);
  const overlay = world.live.emptyOverlay();
  await overlay.read(path);
  const check = await checkOverlay(
    world.live,
    { overlay: overlay.writeText(path, text), scope: 'workspace', timeoutMs: 60_000 },
    calm,
  );
  // A server for JSON may judge the file as well.
  const evaluation = check.evaluations.find(({ server }) => server.name.startsWith('typescript'));
  const introduced = evaluation?.introduced.map(({ diagnostic: { code } }) => code);
  return { verdict: check.verdict.kind, ...evaluation, introduced };
}

test.skipIf(!isIsolationPossible)('errors of a configuration are found by it, confined or not', async () => {
  const way = { way: 'mounted', confinement: { kind: 'confined' }, confidence: 'high' };
  expect(await judgedOptions({ strict: 'yes' })).toMatchObject({
    ...way,
    verdict: 'broken',
    introduced: [5024],
  });
  expect(await judgedOptions({ noImplicitReturns: true })).toMatchObject({ ...way, verdict: 'clean' });
  expect(await judgedOptions({ strictt: true })).toMatchObject({
    ...way,
    verdict: 'broken',
    introduced: [5023],
  });
});

test.skipIf(!isIsolationPossible)(
  'a directory that the disk removed shows its files to it again',
  async () => {
    const wrong = 'export const wrong: string = 1;\n';
    const broken = { verdict: 'broken', confidence: 'high', introduced: [2322] };
    await world.write('app/left/first.ts', 'export {};\n');
    expect(await judged('app/left/second.ts', wrong)).toMatchObject(broken);
    await rm(join(world.root, 'app/left'), { recursive: true });
    expect(await judged('app/left/third.ts', wrong)).toMatchObject(broken);
  },
);

test('a server that cannot be asked about its projects makes no configuration clean', async () => {
  // Its socket is made in this directory, which does not exist.
  const env = { TMPDIR: join('/tmp', 'forerun-no-such-directory') };
  await using alone = await World.open({ ...files, 'node_modules/typescript/package.json': '{}' }, { env });
  const path = alone.workspace.path('tsconfig.json');
  const overlay = alone.live.emptyOverlay();
  await overlay.read(path);
  const text = files['tsconfig.json'].replace('"strict":true', '"strict":"yes"');
  const check = await checkOverlay(
    alone.live,
    { overlay: overlay.writeText(path, text), scope: 'workspace', timeoutMs: 60_000 },
    calm,
  );
  expect(check.verdict).toMatchObject({
    kind: 'unknown',
    why: [expect.stringContaining('projects one by one')],
  });
});
