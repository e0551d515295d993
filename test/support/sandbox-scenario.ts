/**
 * Runs commands in a sandbox and returns a report that can be sent to another process.
 *
 * Invariant: the sandbox is disposed before the report is returned.
 */
import { isDeepStrictEqual } from 'node:util';
import { silentLog } from '../../src/base/log.ts';
import { commitOverlay } from '../../src/overlay/commit/commit.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import type { CommandOutcome } from '../../src/sandbox/command-outcome.ts';
import type { HarvestOutcome, WrittenOutside } from '../../src/sandbox/harvest.ts';
import { openSandbox, type Tier } from '../../src/sandbox/sandbox.ts';
import type { SandboxLimits } from '../../src/sandbox/sandbox-limits.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { testState } from './commit-state.ts';
import { describeTree } from './tree-hash.ts';

export interface SandboxScenario {
  readonly root: string;
  /** What the overlay writes; null removes. */
  readonly edits?: Readonly<Record<string, string | null>>;
  readonly commands: readonly string[];
  readonly tiers?: readonly Tier[];
  readonly limits?: Partial<SandboxLimits>;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  readonly afterwards?: 'commit';
}

export interface SandboxAccount {
  readonly tier: Tier;
  readonly because: string;
  readonly outcomes: readonly CommandOutcome[];
  readonly harvest: 'harvested' | 'conflict';
  /** Whether the workspace on disk was, after the harvest, as it was before the sandbox was opened. */
  readonly isDiskUntouched: boolean;
  /** The changes of the commands, one line each. */
  readonly changes: readonly string[];
  readonly repository: readonly string[];
  readonly leftOut: readonly string[];
  readonly outside?: WrittenOutside;
  readonly committed?: string;
}

export async function playScenario(scenario: SandboxScenario, signal: AbortSignal): Promise<SandboxAccount> {
  const workspace = await Workspace.open(scenario.root);
  const before = await describeTree(scenario.root);
  const overlay = overlayOf(workspace, scenario.edits ?? {});
  const { tiers, limits, timeoutMs = 60_000, maxOutputBytes } = scenario;
  await using sandbox = await openSandbox(
    workspace,
    overlay,
    { env: process.env, log: silentLog, tiers, limits },
    signal,
  );
  const outcomes: CommandOutcome[] = [];
  for (const command of scenario.commands) {
    outcomes.push(await sandbox.run(command, { timeoutMs, maxOutputBytes }, signal));
  }
  const harvest = await sandbox.harvest(signal);
  const { tier, because } = sandbox;
  const isDiskUntouched = isDeepStrictEqual(await describeTree(scenario.root), before);
  const account = { tier, because, outcomes, isDiskUntouched, ...(await reported(harvest)) };
  return { ...account, ...(await end(workspace, scenario, harvest)) };
}

export function overlayOf(workspace: Workspace, edits: Readonly<Record<string, string | null>>): Overlay {
  const entries = Object.entries(edits).map(
    ([path, text]) =>
      [workspace.path(path), text === null ? 'removed' : ({ kind: 'text', text } as const)] as const,
  );
  return Overlay.on(new Baseline(new DiskSource(workspace))).writeAll(entries);
}

type HarvestAccount = Pick<SandboxAccount, 'harvest' | 'changes' | 'repository' | 'leftOut' | 'outside'>;

async function reported(harvest: HarvestOutcome): Promise<HarvestAccount> {
  if (harvest.kind === 'conflict') {
    return { harvest: 'conflict', changes: harvest.paths, repository: [], leftOut: [] };
  }
  const changes = await harvest.made.changes();
  return {
    harvest: 'harvested',
    changes: changes.map(({ kind, path, from }) => [kind, ...(from ? [from, '->'] : []), path].join(' ')),
    repository: harvest.repository,
    leftOut: harvest.leftOut.map(({ path, why }) => `${path}: ${why}`),
    outside: harvest.outside,
  };
}

async function end(
  workspace: Workspace,
  { afterwards }: SandboxScenario,
  harvest: HarvestOutcome,
): Promise<{ readonly committed?: string }> {
  if (afterwards !== 'commit' || harvest.kind !== 'harvested') return {};
  const options = { durability: 'process', onConflict: 'refuse', ...testState } as const;
  const outcome = await commitOverlay(workspace, harvest.overlay, options, new AbortController().signal);
  return { committed: outcome.kind };
}
