/**
 * Runs the commands of a fork in a sandbox that shows its overlay.
 *
 * Invariant: nothing a command does reaches the disk; what it changed comes back as an overlay. One sandbox serves all
 * commands of a workspace, and is gone when this is disposed.
 */
import type { Log } from '../base/log.ts';
import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { tiersFor } from '../sandbox/trusted-tier.ts';
import type { TrustSource } from '../workspace/trust.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CommandOutcome, CommandRequest, CommandRunner } from './command-runner.ts';
import type { RootView } from './files/agent-root.ts';

export interface SandboxedCommandsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Which workspaces may run commands unconfined, where the user's environment allows that at all. */
  readonly trust: TrustSource;
}

export class SandboxedCommands implements CommandRunner, AsyncDisposable {
  readonly #options: SandboxedCommandsOptions;
  readonly #open = new Map<Workspace, Promise<Sandbox>>();

  constructor(options: SandboxedCommandsOptions) {
    this.#options = options;
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
    const { root, command, timeoutMs, maxOutputBytes } = request;
    const sandbox = await this.#sandbox(root, signal);
    await sandbox.show(root.overlay, signal);
    const outcome = await sandbox.run(command, { timeoutMs, maxOutputBytes }, signal);
    if (outcome.kind === 'boundary') return { kind: 'refused', reason: outcome.why };
    const harvest = await sandbox.harvest(signal);
    if (harvest.kind === 'conflict') {
      const paths = harvest.paths.join(', ');
      return {
        kind: 'refused',
        reason: `The command changed files that changed on disk meanwhile: ${paths}.`,
      };
    }
    if (harvest.repository.length > 0) {
      return {
        kind: 'refused',
        reason: 'The command changed the repository itself, which cannot be kept with the files.',
      };
    }
    const { stdout, stderr, code, timedOut, truncated } = outcome;
    return {
      kind: 'ran',
      output: [stdout, stderr].filter((stream) => stream !== '').join('\n'),
      exitCode: code,
      isTimedOut: timedOut,
      isCut: truncated,
      ...(!harvest.made.isEmpty && { overlay: harvest.overlay }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    this.#open.clear();
    for (const each of opened) if (each.status === 'fulfilled') await each.value[Symbol.asyncDispose]();
  }

  /** One that could not be opened is tried anew by the next command. */
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
    const { env, log, trust } = this.#options;
    const { root } = workspace;
    const tiers = tiersFor({ root, trust: trust.trustOf(root) }, env);
    return openSandbox(workspace, overlay, { env, log, tiers }, signal);
  }
}
