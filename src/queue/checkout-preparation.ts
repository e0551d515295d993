/**
 * Puts the dependencies of a checkout in place, by a command that the operator of the worker has chosen.
 *
 * Invariants: the command runs in the isolated sandbox, without network and secrets: what it executes of the repository
 * has no other rights. Only files that git ignores are kept of what it writes, so a checkout keeps the files of its
 * commit. Without a sandbox, nothing runs. What it wrote is used again for as long as the worker lives, wherever all
 * files that name dependencies are the same.
 */
import { dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { changesBetween, changesSinceHead, untrackedFiles } from '../git/file-state.ts';
import { emptyTree } from '../git/git-repository.ts';
import type { Forerun } from '../host/forerun.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { restoreOverlay, spillOverlay } from '../overlay/spill.ts';
import { hasPassed } from '../sandbox/command-outcome.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { sha256 } from '../storage/hash.ts';
import { removeTree } from '../storage/remove-tree.ts';
import { type Checkout, type CheckoutOptions, isDependencyFile } from './repository-checkouts.ts';

export interface PreparationOptions {
  /** Absent: nothing is put in place. */
  readonly command: string | undefined;
  readonly forerun: Forerun;
  readonly env: Environment;
  readonly log: Log;
}

const limits = {
  timeoutMs: 15 * 60_000,
  harvest: { maxFiles: 200_000, maxBytes: 2 ** 31 },
};

export function checkoutPreparation(options: PreparationOptions): CheckoutOptions['prepare'] {
  const { command } = options;
  if (command === undefined) return async () => {};
  const known = new Map<string, string>();
  return (checkout, signal) => prepare(checkout, { ...options, command, known }, signal);
}

interface Preparation extends PreparationOptions {
  readonly command: string;
  /** Where the results of earlier runs are, by what they depend on, the oldest first. */
  readonly known: Map<string, string>;
}

type LiveWorkspace = Awaited<ReturnType<Forerun['registry']['open']>>['live'];

/** How many results of the command are kept. */
const keptRuns = 8;

async function prepare(
  checkout: Checkout,
  { command, forerun, env, log, known }: Preparation,
  signal: AbortSignal,
): Promise<void> {
  const { live } = await forerun.registry.open(checkout.top, signal);
  const key = await dependencyKey(checkout, command, signal);
  const earlier = known.get(key ?? '');
  const prepared = earlier
    ? await restoreOverlay(earlier, live.emptyOverlay())
    : await ranOn(live, { command, env, log }, signal);
  await putInPlace(live, checkout, { command, prepared }, signal);
  log.info('worker.prepared', { commit: checkout.commit, by: earlier ? 'an earlier run' : 'the command' });
  if (key === undefined || earlier !== undefined) return;
  // Beside the checkouts, so that it is removed with them when the worker ends.
  const place = join(dirname(checkout.top), `prepared-${key}`);
  await spillOverlay(prepared, place);
  known.set(key, place);
  const [oldest] = known;
  if (oldest === undefined || known.size <= keptRuns) return;
  known.delete(oldest[0]);
  await removeTree(oldest[1]);
}

/** What all files that name dependencies say, and the command; undefined if there is no such file. */
async function dependencyKey(
  { git, commit, identity }: Checkout,
  command: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const from = await emptyTree(git, signal);
  const files = await changesBetween(git, { from, to: commit }, signal);
  const named = files.filter(({ path }) => isDependencyFile(path));
  if (named.length === 0) return undefined;
  const contents = named.map(({ path, after }) => [path, after?.kind, after?.blob]);
  return sha256(JSON.stringify([identity, command, contents])).slice(0, 32);
}

/** Runs the command in the sandbox; returns what it wrote. */
async function ranOn(
  live: LiveWorkspace,
  { command, env, log }: Pick<PreparationOptions, 'env' | 'log'> & { readonly command: string },
  signal: AbortSignal,
): Promise<Overlay> {
  const opened = { env, log, tiers: ['isolated'] as const, limits: { harvest: limits.harvest } };
  await using sandbox = await openSandbox(live.workspace, live.emptyOverlay(), opened, signal);
  const outcome = await sandbox.run(command, { timeoutMs: limits.timeoutMs }, signal);
  if (outcome.kind === 'boundary') throw new PreparationFailed(command, outcome.why);
  if (!hasPassed(outcome)) throw new PreparationFailed(command, lastLine(outcome.stderr || outcome.stdout));
  const harvest = await sandbox.harvest(signal);
  if (harvest.kind !== 'harvested') throw new PreparationFailed(command, 'its files changed meanwhile');
  const [lost] = harvest.leftOut;
  if (lost) throw new PreparationFailed(command, `${lost.path} cannot be kept: ${lost.why}`);
  return harvest.overlay;
}

/** Writes it to the checkout, if git ignores all of it. */
async function putInPlace(
  live: LiveWorkspace,
  checkout: Checkout,
  { command, prepared }: { readonly command: string; readonly prepared: Overlay },
  signal: AbortSignal,
): Promise<void> {
  const written = await live.commits.commit(
    prepared,
    { durability: 'process', onConflict: 'overwrite' },
    signal,
  );
  if (written.kind === 'conflict') throw new PreparationFailed(command, 'its files could not be written');
  const changed = await changesSinceHead(checkout.git, 'working tree', signal);
  const untracked = await untrackedFiles(checkout.git, signal);
  const [first] = [...changed.map(({ path }) => path), ...untracked];
  if (first !== undefined)
    throw new PreparationFailed(command, `it changed ${first}, which git does not ignore`);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

class PreparationFailed extends Failure {
  readonly code = 'queue/preparation-failed';
  readonly remedy =
    'Correct --prepare of the worker: it must succeed without network, and write only files that git ignores.';

  constructor(command: string, why: string) {
    super(`the preparation "${command}" failed: ${why}`);
  }
}
