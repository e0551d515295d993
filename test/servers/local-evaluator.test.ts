/** The Evaluator of this process: what it answers for its own overlays and for requests that came as data. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { decodeRequest, encodeRequest } from '../../src/evaluation/encoded-request.ts';
import type { EvaluationOutcome, EvaluationRequest } from '../../src/evaluation/evaluator.ts';
import { LocalEvaluator } from '../../src/evaluation/local-evaluator.ts';
import { parseOutcome } from '../../src/evaluation/outcome-schema.ts';
import { languageId } from '../../src/servers/language.ts';
import { calm, World } from '../support/world.ts';

const files = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "noEmit": true }, "include": ["*.ts"] }\n',
  'app.ts': 'export const count: number = 1;\n',
  'used.ts': "import { count } from './app.ts';\nexport const twice: number = count * 2;\n",
  'kept/old.ts': 'export const old = 1;\n',
  'tool.py': 'count: int = 1\n',
};

let world: World;
beforeAll(async () => {
  world = await World.open(files);
});
afterAll(() => world?.[Symbol.asyncDispose]());

function request(parts: Partial<EvaluationRequest> = {}): EvaluationRequest {
  const { workspace, live } = world;
  const overlay = live
    .emptyOverlay()
    .writeText(workspace.path('app.ts'), 'export const count: string = "1";\n')
    .writeText(workspace.path('tool.py'), 'count: int = "x"\n');
  return { workspace, overlay, scope: 'workspace', timeoutMs: 60_000, caller: 'test', ...parts };
}

function evaluate(asked: EvaluationRequest): Promise<EvaluationOutcome> {
  return new LocalEvaluator(world.live, silentLog).evaluate(asked, calm);
}

/** As another process would ask: everything goes through JSON. */
async function evaluateAsData(asked: EvaluationRequest): Promise<EvaluationOutcome> {
  const sent = JSON.parse(JSON.stringify(await encodeRequest(asked)));
  const outcome = await evaluate(decodeRequest(sent, world.live.disk.source));
  return parseOutcome(JSON.parse(JSON.stringify(outcome)));
}

test('a request that came as data gets the verdict of the original one', async () => {
  const [here, there] = [await evaluate(request()), await evaluateAsData(request())];
  expect(here).toMatchObject({
    kind: 'evaluated',
    verdict: { kind: 'broken', in: ['tool.py', 'used.ts'] },
    unjudged: [],
  });
  expect(withoutDuration(there)).toEqual(withoutDuration(here));
});

test('the servers of one change are asked together, and named so', async () => {
  const received: string[] = [];
  await evaluate(request({ onProgress: (message) => received.push(message) }));
  expect(received).toEqual([expect.stringMatching(/^asking \S+, \S+$/)]);
});

test('a server of a language that was not named is not asked, and its files are not clean', async () => {
  const outcome = await evaluate(request({ languages: [languageId('python')] }));
  expect(outcome).toMatchObject({
    evaluations: [{ evaluatedFiles: ['tool.py'] }],
    unjudged: [{ paths: ['app.ts'], reason: expect.stringContaining('was not asked') }],
  });
});

test('a request that rests on other files is refused as stale, without a verdict', async () => {
  const asked = request();
  const sent = await encodeRequest(asked);
  await writeFile(join(world.workspace.root, 'app.ts'), 'export const count: number = 3;\n');
  try {
    expect(await evaluate(decodeRequest(sent, world.live.disk.source))).toEqual({
      kind: 'stale',
      paths: ['app.ts'],
    });
  } finally {
    await writeFile(join(world.workspace.root, 'app.ts'), files['app.ts']);
  }
});

test('a file that came to be in a directory the request takes away is stale too', async () => {
  const { workspace, live } = world;
  const sent = await encodeRequest(request({ overlay: live.emptyOverlay().remove(workspace.path('kept')) }));
  await writeFile(join(workspace.root, 'kept/new.ts'), 'export const young = 1;\n');
  expect(await evaluate(decodeRequest(sent, live.disk.source))).toEqual({
    kind: 'stale',
    paths: ['kept/new.ts'],
  });
});

test('a request about another workspace is refused by name', async () => {
  await expect(evaluate(request({ workspace: { root: '/elsewhere' } }))).rejects.toMatchObject({
    code: 'evaluation/other-workspace',
  });
});

function withoutDuration(outcome: EvaluationOutcome): unknown {
  if (outcome.kind === 'stale') return outcome;
  return { ...outcome, evaluations: outcome.evaluations.map((each) => ({ ...each, durationMs: 0 })) };
}
