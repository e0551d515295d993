/**
 * Runs the commands of a fork in a sandbox that shows its overlay.
 *
 * Invariants: a command changes nothing on disk; its changes are returned as an overlay, and files an overlay cannot
 * hold are named; a failure that the sandbox may have caused is not reported as a failure of the command. All
 * commands of a workspace share one sandbox, which is deleted on disposal.
 */
import type { Log } from '../base/log.ts';
import { type FinishedCommand, outputOf } from '../sandbox/command-outcome.ts';
import type { Harvest } from '../sandbox/harvest.ts';
import { defaultTiers, openSandbox, type Sandbox, type Tier } from '../sandbox/sandbox.ts';
import { tiersFor } from '../sandbox/trusted-tier.ts';
import type { TrustSource } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CommandRequest, CommandRun, CommandRunner, LostFiles } from './command-runner.ts';
import { confinementSymptom } from './confinement-symptom.ts';
import type { RootView } from './files/agent-root.ts';
import { isRecomputed } from './recomputed-path.ts';

export interface SandboxedCommandsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Workspaces in which commands may run unconfined, if the user's settings permit that. */
  readonly trust: TrustSource;
  /** The sandbox tiers that the user allows; absent: the default tiers. */
  readonly tiers?: (() => readonly Tier[]) | undefined;
}

/** Without it, `git status` writes the index, which would be a change of the repository. */
const commandVariables = { GIT_OPTIONAL_LOCKS: '0' } as const;

export class SandboxedCommands implements CommandRunner, AsyncDisposable {
  readonly #options: SandboxedCommandsOptions;
  readonly #open = new Map<Workspace, Promise<Sandbox>>();

  constructor(options: SandboxedCommandsOptions) {
    this.#options = options;
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandRun> {
    const { root, command, timeoutMs, maxOutputBytes } = request;
    const sandbox = await this.#sandbox(root, signal);
    await sandbox.show(root.overlay, signal);
    const outcome = await sandbox.run(command, { timeoutMs, maxOutputBytes, env: commandVariables }, signal);
    if (outcome.kind === 'boundary') return outcome;
    const harvest = await sandbox.harvest(signal);
    if (harvest.kind === 'conflict') {
      const paths = harvest.paths.join(', ');
      const why = `The command changed files that were changed on disk at the same time: ${paths}.`;
      return { kind: 'boundary', rule: 'conflict', why };
    }
    if (harvest.repository.length > 0) {
      const why = 'The command changed the Git repository, which an overlay cannot hold.';
      return { kind: 'boundary', rule: 'repository', why };
    }
    const symptom = symptomOf(outcome);
    if (symptom !== undefined) {
      const why = `The command failed, perhaps because it was confined: ${symptom}.`;
      return { kind: 'boundary', rule: 'confinement', why };
    }
    const lost = sandbox.tier === 'isolated' ? this.#lostIn(harvest) : undefined;
    return {
      ...outcome,
      ...(!harvest.made.isEmpty && { overlay: harvest.overlay }),
      ...(lost && { lost }),
    };
  }

  /** Files that are neither in the overlay nor recreated when missing. */
  #lostIn({ leftOut, outside }: Harvest): LostFiles | undefined {
    const { env } = this.#options;
    const written = [...outside.files, ...outside.caches].filter((path) => !isRecomputed(path, env));
    const paths = [...leftOut.map(({ path }) => path), ...written];
    if (paths.length === 0 && !outside.truncated) return undefined;
    return { paths, listed: outside.truncated ? 'some' : 'all' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    for (const each of opened) if (each.status === 'fulfilled') await each.value[Symbol.asyncDispose]();
  }

  /** A sandbox that failed to open is opened again for the next command. */
  #sandbox({ workspace, overlay }: RootView, signal: AbortSignal): Promise<Sandbox> {
    const known = this.#open.get(workspace);
    if (known) return known;
    const opening = this.#opened({ workspace, overlay }, signal);
    this.#open.set(workspace, opening);
    opening.catch(() => this.#open.delete(workspace));
    return opening;
  }

  async #opened(
    { workspace, overlay }: Pick<RootView, 'workspace' | 'overlay'>,
    signal: AbortSignal,
  ): Promise<Sandbox> {
    const { env, log, trust, tiers: allowed } = this.#options;
    const { root } = workspace;
    const tiers = tiersFor({ root, trust: trust.trustOf(root) }, allowed?.() ?? defaultTiers);
    return openSandbox(workspace, overlay, { env, log, tiers }, signal);
  }
}

/** The part of a failure that points to the sandbox. */
function symptomOf(outcome: FinishedCommand): string | undefined {
  if (outcome.code === 0) return undefined;
  return outcome.diskFull ? 'no space left' : confinementSymptom(outputOf(outcome));
}
