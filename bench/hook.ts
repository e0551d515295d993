/** `npm run bench -- hook`: what an agent waits for before each of its edits, when a hook judges them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runProgram } from '../test/support/built-program.ts';
import { World } from '../test/support/world.ts';
import type { Bench } from './bench.ts';
import type { GeneratedWorkspace } from './support/generated-workspace.ts';
import { type Measurement, measurementOf, type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { RawServer } from './support/raw-server.ts';
import { rangeOf } from './support/sample-edit.ts';

export const bench: Bench = {
  name: 'hook',
  claim:
    'a hook that starts, judges one edit and ends costs little more than starting Node and a server and asking it',
  goal: { kind: 'within', times: 1.5, plusMs: 0 },
  async *run(context, signal) {
    const workspace = await context.generated('typescript');
    context.progress('finding the files the verdict covers');
    const covered = await coveredFiles(workspace, signal);
    context.progress('starting afresh, a few times');
    const parts: Parts = { evaluation: [], node: [], firstPull: [], pulls: [] };
    const { ours, beside } = await sampleInTurn(
      { ours: hookRun(workspace, parts), beside: nodeAndPulls(workspace, { parts, covered }, signal) },
      plan,
      signal,
    );
    yield {
      kind: 'measured',
      what: `one breaking edit denied, ${workspace.files} files, process start to exit`,
      ours,
      beside: {
        what: `node -e 0, then a fresh raw server and pulls of the file and its ${covered.length - 1} dependents`,
        measurement: beside,
      },
    };
    yield information('of ours: the evaluation, as the answer tells it', parts.evaluation);
    yield information('of beside: node -e 0', parts.node);
    yield information('of beside: the raw server, spawned to its first pull', parts.firstPull);
    yield information('of beside: the pulls of the dependents', parts.pulls);
  },
};

const plan = { warmUp: 1, rounds: 9 } as const;

/** What the two sides are made of, sample by sample, the warm-up included. */
interface Parts {
  readonly evaluation: number[];
  readonly node: number[];
  readonly firstPull: number[];
  readonly pulls: number[];
}

interface HookReport {
  readonly decision: string;
  readonly errors: readonly { readonly file: string }[];
  readonly duration_ms: number;
}

/** Until the process is gone: the client of a hook waits for that. */
function hookRun(workspace: GeneratedWorkspace, parts: Parts): Sampler {
  const { path, replaces, replacement } = workspace.breaking;
  return async (round) => {
    const edits = [{ old_text: replaces, new_text: replacement(round) }];
    // Errors are named by the path that the caller used.
    const file_path = join(workspace.root, path);
    const input = JSON.stringify({ file_path, edits });
    const startedAt = performance.now();
    const run = await runProgram(['hook', '--mode', 'deny', '--deadline', '60000'], {
      cwd: workspace.root,
      input,
    });
    const elapsedMs = performance.now() - startedAt;
    if (run.code !== 1) throw new Error(`the hook ended with ${run.code}: ${run.stdout}${run.stderr}`);
    const report: HookReport = JSON.parse(run.stdout);
    if (report.decision !== 'deny' || report.errors.length !== 1 || report.errors[0]?.file !== file_path) {
      throw new Error(`the hook answered wrongly: ${run.stdout.slice(0, 400)}`);
    }
    parts.evaluation.push(report.duration_ms);
    return elapsedMs;
  };
}

/** The edited file first, then every file that a verdict in workspace scope evaluates besides: equal work on both sides. */
async function coveredFiles(workspace: GeneratedWorkspace, signal: AbortSignal): Promise<readonly string[]> {
  await using world = await World.open({}, { root: workspace.root });
  const edit = workspace.breaking;
  const session = await world.session(workspace.language);
  const change = { range: rangeOf(edit), newText: edit.replacement(0) };
  await session.edit({ path: world.workspace.path(edit.path), edit: change }, signal);
  const { evaluatedFiles } = await session.evaluate({ scope: 'workspace', timeoutMs: 60_000 }, signal);
  return [edit.path, ...evaluatedFiles.filter((path) => path !== edit.path)];
}

/** One after the other, as a hook must have a process before that can have a server; ending the server counts for nobody. */
function nodeAndPulls(
  workspace: GeneratedWorkspace,
  { parts, covered }: { readonly parts: Parts; readonly covered: readonly string[] },
  signal: AbortSignal,
): Sampler {
  const edit = workspace.breaking;
  return async (round) => {
    const nodeMs = await timed(() => once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit'));
    const startedAt = performance.now();
    await using server = await RawServer.start(workspace, 'pull', signal);
    await server.openWith(edit.path, edit.text);
    await server.apply(edit, round);
    const found = await server.pull(edit.path);
    const firstPullMs = performance.now() - startedAt;
    await Promise.all(covered.slice(1).map((path) => server.pull(path)));
    const pullsMs = performance.now() - startedAt - firstPullMs;
    if (found < 1) throw new Error('the first pull missed the error');
    parts.node.push(nodeMs);
    parts.firstPull.push(firstPullMs);
    parts.pulls.push(pullsMs);
    return nodeMs + firstPullMs + pullsMs;
  };
}

function information(
  what: string,
  samples: readonly number[],
): {
  readonly kind: 'measured';
  readonly what: string;
  readonly ours: Measurement;
  readonly goal: { kind: 'none' };
} {
  const ours = measurementOf(samples.slice(plan.warmUp), 'ms');
  return { kind: 'measured', what, ours, goal: { kind: 'none' } };
}
