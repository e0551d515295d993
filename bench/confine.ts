/** `npm run bench -- confine`: what it costs to confine the programs that run code of the workspace. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../src/base/log.ts';
import { evaluateOverlay } from '../src/evaluation/evaluate-overlay.ts';
import { verdictOf } from '../src/evaluation/evaluation.ts';
import { WorkspaceRegistry } from '../src/live/workspace-registry.ts';
import { probeConfinement } from '../src/sandbox/confinement.ts';
import { languageId } from '../src/servers/language.ts';
import type { Scope } from '../src/servers/projection.ts';
import { isOnPath } from '../test/support/on-path.ts';
import type { Bench, Line } from './bench.ts';
import type { BenchWorkspace } from './support/bench-workspace.ts';
import { type Sampler, sampleInTurn, timed } from './support/measurement.ts';
import { editedText } from './support/sample-edit.ts';
import { writeSmallWorkspace } from './support/small-workspace.ts';

/** What differs between the two sides of every line. */
type Side = 'confined' | 'open';

export const bench: Bench = {
  name: 'confine',
  claim: 'confining what runs code of the workspace costs little, and opening a workspace costs the same',
  goal: { kind: 'within', times: 1.3, plusMs: 150 },
  async *run(context, signal) {
    const missing = await whyNot(signal);
    if (missing !== undefined) {
      yield { kind: 'skipped', what: 'confine', why: missing };
      return;
    }
    await using workspace = await writeSmallWorkspace('rust');
    const cache = await mkdtemp(join(tmpdir(), 'forerun-bench-cache-'));
    try {
      context.progress('rust: starting both sides');
      yield* warmVerdicts(workspace, cache, signal);
      context.progress('rust: starting afresh, a few times');
      yield await firstVerdicts(workspace, cache, signal);
      yield await openings(workspace, cache, signal);
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  },
};

async function* warmVerdicts(
  workspace: BenchWorkspace,
  cache: string,
  signal: AbortSignal,
): AsyncIterable<Line> {
  await using confined = opened('confined', cache);
  await using open = opened('open', cache);
  for (const [what, scope] of [
    ['cargo check of an edit', 'workspace'],
    ['verdict of rust-analyzer on an edit', 'file'],
  ] as const) {
    const side =
      (workspaces: WorkspaceRegistry, kind: Side): Sampler =>
      (round) =>
        timed(() => judged(workspaces, workspace, { scope, round, kind }, signal));
    const samplers = { ours: side(confined, 'confined'), beside: side(open, 'open') };
    const { ours, beside } = await sampleInTurn(samplers, { warmUp: 2, rounds: 11 }, signal);
    yield { kind: 'measured', what, ours, beside: { what: 'not confined', measurement: beside } };
  }
}

/** From an unopened workspace to the compiler's verdict, in a process that has proved the confinement. */
async function firstVerdicts(workspace: BenchWorkspace, cache: string, signal: AbortSignal): Promise<Line> {
  const side =
    (kind: Side): Sampler =>
    (round) =>
      timed(async () => {
        await using workspaces = opened(kind, cache);
        await judged(workspaces, workspace, { scope: 'workspace', round, kind }, signal);
      });
  const samplers = { ours: side('confined'), beside: side('open') };
  const { ours, beside } = await sampleInTurn(samplers, { warmUp: 1, rounds: 7 }, signal);
  const what = 'first cargo check, servers started for it and ended';
  return { kind: 'measured', what, ours, beside: { what: 'not confined', measurement: beside } };
}

async function openings({ root }: BenchWorkspace, cache: string, signal: AbortSignal): Promise<Line> {
  const side =
    (kind: Side): Sampler =>
    () =>
      timed(async () => {
        await using workspaces = opened(kind, cache);
        await workspaces.open(root, signal);
      });
  const samplers = { ours: side('confined'), beside: side('open') };
  const { ours, beside } = await sampleInTurn(samplers, { warmUp: 3, rounds: 21 }, signal);
  const what = 'open and close the workspace';
  const goal = { kind: 'within', times: 1, plusMs: 5 } as const;
  return { kind: 'measured', what, ours, beside: { what: 'not confined', measurement: beside }, goal };
}

function opened(kind: Side, cache: string): WorkspaceRegistry {
  return new WorkspaceRegistry({
    definitions: 'detect',
    poolSize: 1,
    trust: { trustOf: () => 'trusted' },
    ...(kind === 'open' && { tiers: () => ['readonly'] as const }),
    env: { ...process.env, XDG_CACHE_HOME: cache },
    log: silentLog,
  });
}

interface Asked {
  readonly scope: Scope;
  readonly round: number;
  readonly kind: Side;
}

async function judged(
  workspaces: WorkspaceRegistry,
  { root, breaking }: BenchWorkspace,
  { scope, round, kind }: Asked,
  signal: AbortSignal,
): Promise<void> {
  const { live } = await workspaces.open(root, signal);
  const text = editedText(breaking, round);
  const overlay = live.emptyOverlay().writeText(live.workspace.path(breaking.path), text);
  const request = { overlay, language: languageId('rust'), scope, timeoutMs: 60_000 };
  const evaluation = await evaluateOverlay(live, request, signal);
  if (verdictOf(evaluation).kind !== 'broken')
    throw new Error(`the edit was not found to be broken: ${scope}`);
  if (evaluation.confinement.kind !== kind)
    throw new Error(`it ran ${evaluation.confinement.kind}, not ${kind}`);
}

async function whyNot(signal: AbortSignal): Promise<string | undefined> {
  for (const program of ['cargo', 'rust-analyzer']) if (!isOnPath(program)) return `there is no ${program}`;
  const confinement = await probeConfinement({ env: process.env, log: silentLog }, signal);
  return confinement.kind === 'available' ? undefined : confinement.because;
}
