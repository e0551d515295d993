/** `npm run bench -- sandbox`: what it costs to run a command in a world that is not real. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '../src/base/log.ts';
import { Overlay } from '../src/overlay/overlay.ts';
import { runCommand } from '../src/process/run-command.ts';
import { openSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { Baseline } from '../src/workspace/baseline.ts';
import { mapConcurrently } from '../src/workspace/concurrency.ts';
import { DiskSource } from '../src/workspace/disk-source.ts';
import { Workspace } from '../src/workspace/workspace.ts';
import type { Bench, Goal, Line } from './bench.ts';
import { ScratchFiles } from './support/bench-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';

const [small, large] = [1_000, 10_000] as const;

export const bench: Bench = {
  name: 'sandbox',
  claim: 'a sandbox opens in the same time over a tree of any size, and a command in it pays a fixed price',
  goal: { kind: 'none' },
  async *run(context, signal) {
    context.progress(`writing trees of ${small} and ${large} files`);
    await using smallTree = await ScratchFiles.write('sandbox', treeOf(small));
    await using largeTree = await ScratchFiles.write('sandbox', treeOf(large));
    const unavailable = await whyNot(smallTree.root, signal);
    if (unavailable !== undefined) {
      yield { kind: 'skipped', what: 'sandbox', why: unavailable };
      return;
    }
    yield* opening(smallTree.root, largeTree.root, signal);
    yield* commands(largeTree.root, signal);
    for (const count of [1, 100, 1000]) yield await harvest(smallTree.root, count, signal);
  },
};

const plan = { warmUp: 2, rounds: 15 };

async function* opening(smallRoot: string, largeRoot: string, signal: AbortSignal): AsyncIterable<Line> {
  const open =
    (root: string): Sampler =>
    () =>
      timed(async () => {
        await using _sandbox = await opened(root, signal);
      });
  const { ours, beside } = await sampleInTurn(
    { ours: open(largeRoot), beside: open(smallRoot) },
    plan,
    signal,
  );
  yield {
    kind: 'measured',
    what: `open + dispose, ${large} files in the tree`,
    ours,
    beside: { what: `${small} files`, measurement: beside },
    goal: { kind: 'within', times: 1.5, plusMs: 0 },
  };
}

/** In a sandbox that is open already, as the second and every later command of a session finds it. */
async function* commands(root: string, signal: AbortSignal): AsyncIterable<Line> {
  await using sandbox = await opened(root, signal);
  // Nothing is as short as `true`: it shows the price, which is that of the programs that lead in.
  const price = { kind: 'within', times: 5, plusMs: 20 } as const;
  const work = { kind: 'within', times: 2, plusMs: 50 } as const;
  const cases: readonly { readonly what: string; readonly argv: readonly string[]; readonly goal: Goal }[] = [
    { what: 'true', argv: ['/bin/true'], goal: price },
    { what: 'node -e 1', argv: [process.execPath, '-e', '1'], goal: work },
    { what: 'grep -r over the tree', argv: ['grep', '-rl', 'no such words', '.'], goal: work },
  ];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  for (const { what, argv, goal } of cases) {
    const inside: Sampler = () => timed(() => sandbox.run(argv, { timeoutMs: 60_000 }, signal));
    const plain: Sampler = () =>
      timed(() =>
        runCommand({ command: argv, cwd: root, env, timeoutMs: 60_000, maxOutputBytes: 1 << 20 }, signal),
      );
    const { ours, beside } = await sampleInTurn({ ours: inside, beside: plain }, plan, signal);
    yield {
      kind: 'measured',
      what: `${what}, in an open sandbox`,
      ours,
      beside: { what: 'plain', measurement: beside },
      goal,
    };
  }
}

/** Each sample has a sandbox of its own: what was harvested once is not looked at again. */
async function harvest(root: string, count: number, signal: AbortSignal): Promise<Line> {
  const command = `i=0; while [ $i -lt ${count} ]; do echo changed >> folder-$((i / 100))/file-$i.ts; i=$((i + 1)); done`;
  const ours: Sampler = async () => {
    await using sandbox = await opened(root, signal);
    await sandbox.run(command, { timeoutMs: 60_000 }, signal);
    return await timed(async () => {
      const outcome = await sandbox.harvest(signal);
      const found = outcome.kind === 'harvested' ? (await outcome.made.changes()).length : 0;
      if (found !== count) throw new Error(`${found} of ${count} changes were harvested`);
    });
  };
  const files = [...treeOf(count).keys()];
  const beside: Sampler = () => timed(() => mapConcurrently(files, 16, (file) => readFile(join(root, file))));
  const measured = await sampleInTurn({ ours, beside }, { warmUp: 1, rounds: 7 }, signal);
  return {
    kind: 'measured',
    what: `harvest of ${count} changed ${count === 1 ? 'file' : 'files'}`,
    ours: measured.ours,
    beside: { what: 'the files read plainly', measurement: measured.beside },
  };
}

async function opened(root: string, signal: AbortSignal): Promise<Sandbox> {
  const workspace = await Workspace.open(root);
  const overlay = Overlay.on(new Baseline(new DiskSource(workspace)));
  const edited = overlay.writeText(workspace.path('folder-0/file-0.ts'), 'export const at = -1;\n');
  const options = { env: process.env, log: silentLog, tiers: ['isolated'] as const };
  return openSandbox(workspace, edited, options, signal);
}

async function whyNot(root: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    await using _sandbox = await opened(root, signal);
    return undefined;
  } catch (thrown) {
    signal.throwIfAborted();
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function treeOf(size: number): ReadonlyMap<string, string> {
  return new Map(
    Array.from({ length: size }, (_, at) => [
      `folder-${Math.floor(at / 100)}/file-${at}.ts`,
      `export const at = ${at};\n`,
    ]),
  );
}
