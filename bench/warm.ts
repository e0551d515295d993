/**
 * `npm run bench -- warm`: what a second process gains from the first, what more servers give, and what it takes to
 * keep up with the disk and with many sessions.
 */
import { mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { languageId } from '../src/servers/language.ts';
import { BrokerHome } from '../test/support/broker-home.ts';
import { McpConnection } from '../test/support/mcp-connection.ts';
import { World } from '../test/support/world.ts';
import type { Bench, Line, MeasuredLine } from './bench.ts';
import { evaluateAtOnce, sessionCount } from './pool.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Measurement, measurementOf, type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { residentMegabytes } from './support/resident-memory.ts';
import { toolArguments } from './support/sample-edit.ts';
import { bench as references } from './warm-references.ts';

const information = { kind: 'none' } as const;

/** How much faster a warm server makes the first answer of a process. */
const wantedTimes = 20;

export const bench: Bench = {
  name: 'warm',
  claim: 'a second process finds servers that have read the workspace already',
  goal: { kind: 'faster', times: wantedTimes },
  async *run(context, signal) {
    for (const language of ['typescript', 'python'] as const) {
      const workspace = await context.generated(language);
      context.progress(`${language}: cold and warm starts in turn`);
      yield* firstAnswers(workspace, signal);
    }
    const workspace = await context.generated('typescript');
    for (const size of [2, 4]) {
      context.progress(`a pool of ${size}`);
      yield await throughput(workspace, size, signal);
    }
    for await (const line of references.run(context, signal)) {
      yield line.kind === 'measured' ? { goal: references.goal, ...line } : line;
    }
    context.progress('ten thousand files change');
    yield await burst(signal);
    yield* memoryWithSessions(workspace);
  },
};

/**
 * How long an agent takes at least over its first step: its model reads the question and writes the call. Meanwhile
 * the program loads itself and takes up the servers that run.
 */
const firstThoughtMs = 1000;

/** Each answer is the first of a process that has just been started in the workspace. */
async function* firstAnswers(workspace: GeneratedWorkspace, signal: AbortSignal): AsyncGenerator<Line> {
  const { language, files } = workspace;
  await using home = await BrokerHome.open();
  const warm = { FORERUN_DAEMON: 'on', FORERUN_DAEMON_DIR: home.directory };
  const cold = { FORERUN_DAEMON: 'off' };
  await ask(workspace, { env: warm, thoughtMs: 0 }, 0);
  const what = `${language}, ${files} files: first preview_edit of a new process`;
  const compare = async (thoughtMs: number, env: Readonly<Record<string, string>>) => {
    const whole = { ours: [] as number[], beside: [] as number[] };
    const later: number[] = [];
    const answers = await sampleInTurn(
      {
        ours: firstAnswer(workspace, { env: warm, thoughtMs }, { whole: whole.ours, later }),
        beside: firstAnswer(workspace, { env, thoughtMs }, { whole: whole.beside, later: [] }),
      },
      // Warm-up rounds: a second conversation finds a broker that has run for a while.
      { warmUp: 5, rounds: 9 },
      signal,
    );
    return { ...answers, whole, later: measurementOf(later, 'ms') };
  };
  // A broker's server has loaded the whole workspace, so it is compared with a server that does the same.
  const thoughtful = await compare(firstThoughtMs, { ...cold, FORERUN_SCOPE: 'off' });
  yield {
    kind: 'measured',
    what: `${what}, a second after the handshake, server warm in a broker`,
    ours: thoughtful.ours,
    beside: { what: 'with a server that starts for it', measurement: thoughtful.beside },
    ...reachable(thoughtful),
  };
  const scoped = await compare(firstThoughtMs, cold);
  yield {
    kind: 'measured',
    what: `${what}, a second after the handshake, server warm in a broker`,
    ours: scoped.ours,
    beside: {
      what: 'with a server that starts for it and loads what is worked on',
      measurement: scoped.beside,
    },
    goal: information,
  };
  const hasty = await compare(0, cold);
  yield {
    kind: 'measured',
    what: `${what}, at once after the handshake, server warm in a broker`,
    ours: hasty.ours,
    beside: { what: 'with a server that starts for it', measurement: hasty.beside },
    goal: information,
  };
  yield {
    kind: 'measured',
    what: `${language}: the same from the start of the process`,
    ours: measurementOf(hasty.whole.ours, 'ms'),
    beside: { what: 'without a broker', measurement: measurementOf(hasty.whole.beside, 'ms') },
    goal: information,
  };
}

/** What a first answer may take more than a later one of the same process. */
const allowance = { times: 1.5, plusMs: 3 } as const;

/** The goal of the bench, or what is left if a first answer takes as long as it may: a faster cold start is no loss. */
function reachable({
  later,
  beside,
}: {
  readonly later: Measurement;
  readonly beside: Measurement;
}): Pick<MeasuredLine, 'goal' | 'note'> {
  const left = beside.median / (later.median * allowance.times + allowance.plusMs);
  return {
    goal: { kind: 'faster', times: Math.min(wantedTimes, Math.floor(left)) },
    note: `later previews of the same process take ${later.median.toFixed(1)} ms`,
  };
}

interface Asking {
  readonly env: Readonly<Record<string, string>>;
  /** Between the handshake and the call. */
  readonly thoughtMs: number;
}

function firstAnswer(
  workspace: GeneratedWorkspace,
  asking: Asking,
  { whole, later }: { readonly whole: number[]; readonly later: number[] },
): Sampler {
  return async (round) => {
    const { answerMs, wholeMs, laterMs } = await ask(workspace, asking, round);
    whole.push(wholeMs);
    later.push(laterMs);
    return answerMs;
  };
}

/** How many previews follow the first; the last of them is measured. */
const laterPreviews = 4;

async function ask(
  { root, breaking }: GeneratedWorkspace,
  { env, thoughtMs }: Asking,
  round: number,
): Promise<{ readonly answerMs: number; readonly wholeMs: number; readonly laterMs: number }> {
  const startedAt = performance.now();
  await using connection = await McpConnection.open({ cwd: root, words: ['--log-level', 'error'], env });
  if (thoughtMs > 0) {
    // No agent calls a tool that it has not seen listed.
    await connection.client.listTools();
    await setTimeout(thoughtMs);
  }
  const preview = async (variant: number): Promise<number> => {
    const args = { file_path: join(root, breaking.path), ...toolArguments(breaking, variant) };
    const askedAt = performance.now();
    const answer = await connection.call('preview_edit', { ...args, timeout_ms: 60_000 });
    const tookMs = performance.now() - askedAt;
    if (answer.json?.net_delta !== 1) throw new Error(`a verdict is wrong: ${answer.text.slice(0, 400)}`);
    return tookMs;
  };
  const answerMs = await preview(round);
  const wholeMs = performance.now() - startedAt;
  let laterMs = 0;
  for (let at = 1; at <= laterPreviews; at++) laterMs = await preview(1000 * at + round);
  return { answerMs, wholeMs, laterMs };
}

async function throughput(workspace: GeneratedWorkspace, size: number, signal: AbortSignal): Promise<Line> {
  await using one = await World.open({}, { root: workspace.root, poolSize: 1 });
  await using many = await World.open({}, { root: workspace.root, poolSize: size });
  const wrong = new Set<number>();
  const compared = await sampleInTurn(
    { ours: evaluateAtOnce(many, workspace, { wrong }), beside: evaluateAtOnce(one, workspace, { wrong }) },
    { warmUp: 3, rounds: 11 },
    signal,
  );
  return {
    kind: 'measured',
    what: `typescript, ${sessionCount} sessions at once, pool of ${size}`,
    ours: compared.ours,
    beside: { what: 'pool of 1', measurement: compared.beside },
    goal: information,
    ...(wrong.size > 0 && { shortfall: 'a session was told of an edit that is not its own' }),
  };
}

const burstFiles = 10_000;

/** From the last of ten thousand writes until a server has been told of all of them. */
async function burst(signal: AbortSignal): Promise<Line> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-bench-burst-')));
  const paths = Array.from({ length: burstFiles }, (_, at) => join(root, `part${at % 100}`, `file${at}.ts`));
  const write = async (text: string): Promise<void> => {
    for (const path of paths) await writeFile(path, text);
  };
  try {
    for (let part = 0; part < 100; part++) await mkdir(join(root, `part${part}`));
    await write('export const v = 0;\n');
    await using world = await World.open({ 'tsconfig.json': '{"files":[]}' }, { root });
    const taken = { ours: [] as number[], beside: [] as number[] };
    for (let round = 1; round <= 4; round++) {
      await write(`export const v = ${round};\n`);
      const tookMs = await timed(async () => {
        await using _ = await world.view.lease(languageId('typescript'), signal);
      });
      const statMs = await timed(() => Promise.all(paths.map((path) => stat(path))));
      // The first round starts the server.
      if (round === 1) continue;
      taken.ours.push(tookMs);
      taken.beside.push(statMs);
    }
    return {
      kind: 'measured',
      what: `${burstFiles} files changed: until the server has been told`,
      ours: measurementOf(taken.ours, 'ms'),
      beside: { what: 'one stat of each of them', measurement: measurementOf(taken.beside, 'ms') },
      goal: information,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The program's own memory with sessions open, each edited and evaluated. */
async function* memoryWithSessions(workspace: GeneratedWorkspace): AsyncGenerator<Line> {
  await using connection = await McpConnection.open({ words: ['--log-level', 'error'] });
  const weights = new Map<number, number>();
  for (let open = 1; open <= 20; open++) {
    const begun = await connection.call('create_simulation_session', {
      workspace_root: workspace.root,
      language: 'typescript',
    });
    const session_id = begun.json?.session_id;
    const file_path = join(workspace.root, workspace.breaking.path);
    await connection.call('simulate_edit', {
      session_id,
      file_path,
      ...toolArguments(workspace.breaking, open),
    });
    await connection.call('evaluate_session', { session_id, scope: 'workspace' });
    weights.set(open, await residentMegabytes(connection.pid));
  }
  const weightOf = (open: number) => measurementOf([weights.get(open) ?? 0], 'MB');
  for (const open of [5, 20]) {
    yield {
      kind: 'measured',
      what: `memory with ${open} sessions open, without the server`,
      ours: weightOf(open),
      beside: { what: 'with 1', measurement: weightOf(1) },
      goal: { kind: 'below', limit: 200, flatTimes: 1.3 },
    };
  }
}
