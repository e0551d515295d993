/**
 * Puts the dependencies of a checkout in place, by a command that the operator of the worker has chosen.
 *
 * Invariants: the command runs in the isolated sandbox, without network and secrets: what it executes of the repository
 * has no other rights. Only files that git ignores are kept of what it writes, so a checkout keeps the files of its
 * commit. Without a sandbox, nothing runs.
 */
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { changesSinceHead, untrackedFiles } from '../git/file-state.ts';
import type { Forerun } from '../host/forerun.ts';
import { hasPassed } from '../sandbox/command-outcome.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import type { Checkout, CheckoutOptions } from './repository-checkouts.ts';

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
  return (checkout, signal) => prepare(checkout, { ...options, command }, signal);
}

async function prepare(
  checkout: Checkout,
  { command, forerun, env, log }: PreparationOptions & { readonly command: string },
  signal: AbortSignal,
): Promise<void> {
  const { live } = await forerun.registry.open(checkout.top, signal);
  const opened = { env, log, tiers: ['isolated'] as const, limits: { harvest: limits.harvest } };
  await using sandbox = await openSandbox(live.workspace, live.emptyOverlay(), opened, signal);
  const outcome = await sandbox.run(command, { timeoutMs: limits.timeoutMs }, signal);
  if (outcome.kind === 'boundary') throw new PreparationFailed(command, outcome.why);
  if (!hasPassed(outcome)) throw new PreparationFailed(command, lastLine(outcome.stderr || outcome.stdout));
  const harvest = await sandbox.harvest(signal);
  if (harvest.kind !== 'harvested') throw new PreparationFailed(command, 'its files changed meanwhile');
  const [lost] = harvest.leftOut;
  if (lost) throw new PreparationFailed(command, `${lost.path} cannot be kept: ${lost.why}`);
  const written = await live.commits.commit(
    harvest.overlay,
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
