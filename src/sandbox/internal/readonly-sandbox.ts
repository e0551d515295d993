/**
 * Runs commands on the workspace itself, and only those whose text proves that they change nothing.
 *
 * Invariant: if the overlay contains a change, no command runs, since none would see it; an answer about the
 * unchanged files must never be reported as one about the changed files.
 */
import { Overlay } from '../../overlay/overlay.ts';
import { readShellCommand } from '../../shell/shell-reading.ts';
import { DiskSource } from '../../workspace/disk-source.ts';
import { rootPath } from '../../workspace/workspace-path.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import type { HarvestOutcome } from '../harvest.ts';
import { runReadonlyCommand } from '../readonly/readonly-run.ts';
import type { CommandLine, RunOptions, Sandbox, SandboxRequest } from '../sandbox-tier.ts';
import { shellText } from './shell-words.ts';

export async function openReadonly(request: SandboxRequest): Promise<Sandbox> {
  return new ReadonlySandbox(request);
}

class ReadonlySandbox implements Sandbox {
  readonly tier = 'readonly';
  readonly because: string;
  readonly root: string;
  readonly #request: SandboxRequest;
  #shown: Overlay;

  constructor(request: SandboxRequest) {
    this.#request = request;
    this.because = request.because || 'the readonly tier was requested';
    this.root = request.workspace.root;
    this.#shown = request.overlay;
  }

  async run(command: CommandLine, options: RunOptions, signal: AbortSignal): Promise<CommandOutcome> {
    const reading = readShellCommand(shellText(command), this.root);
    if (reading.kind === 'boundary') return reading;
    const isChanged = (await this.#shown.changes('stack')).length > 0;
    if (isChanged) {
      const why = 'the overlay contains changes, which a command on the workspace itself would not see';
      return { kind: 'boundary', rule: 'overlay-unseen', why };
    }
    const { workspace, env } = this.#request;
    const startedAt = performance.now();
    const run = await runReadonlyCommand(
      reading,
      {
        source: new DiskSource(workspace),
        root: this.root,
        cwd: workspace.absolute(options.cwd ?? rootPath),
        env: { ...env, ...options.env },
        timeoutMs: options.timeoutMs,
      },
      signal,
    );
    if (run.kind === 'boundary') return run;
    options.onOutput?.(run.stdout + run.stderr);
    return {
      kind: 'finished',
      code: run.code,
      stdout: run.stdout,
      stderr: run.stderr,
      truncated: run.ended === 'output-limit',
      timedOut: run.ended === 'timeout',
      diskFull: false,
      durationMs: performance.now() - startedAt,
    };
  }

  async show(overlay: Overlay): Promise<void> {
    this.#shown = overlay;
  }

  async harvest(): Promise<HarvestOutcome> {
    const overlay = this.#shown;
    const outside = { files: [], caches: [], truncated: false };
    return { kind: 'harvested', overlay, made: Overlay.on(overlay), repository: [], leftOut: [], outside };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
