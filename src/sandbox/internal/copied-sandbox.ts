/**
 * Runs commands on a copy of the workspace.
 *
 * Invariant: changes below their directory are found by comparison; nothing else is guaranteed. A command that names
 * a path outside the copy reaches the real file.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Overlay } from '../../overlay/overlay.ts';
import { rootPath } from '../../workspace/workspace-path.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import type { HarvestOutcome } from '../harvest.ts';
import { defaultMaxOutputBytes } from '../sandbox-limits.ts';
import type { CommandLine, RunOptions, Sandbox, SandboxRequest } from '../sandbox-tier.ts';
import { CopiedTree } from './changed-copy.ts';
import { commandEnvironment } from './command-environment.ts';
import { runConfined } from './command-run.ts';
import { waiting } from './confined-command.ts';
import { FileView } from './file-view.ts';
import { gatherChanges } from './gathered-changes.ts';
import { systemPath } from './mount-namespace.ts';
import { makeScratch, removeScratch } from './scratch.ts';
import { shellWords } from './shell-words.ts';
import { showOverlay } from './shown-overlay.ts';
import { copyWorkspace } from './workspace-copy.ts';

export async function openCopied(request: SandboxRequest, signal: AbortSignal): Promise<Sandbox> {
  const { root } = request.workspace;
  const scratch = await makeScratch(tmpdir(), root);
  try {
    const copied = new Map<string, bigint>();
    const onCopy = (path: string, changedNs: bigint): void => void copied.set(path, changedNs);
    const copy = await copyWorkspace(root, { scratch, depth: 'everything', onCopy }, signal);
    const sandbox = new CopiedSandbox(request, { scratch, copy, copied });
    await sandbox.show(request.overlay, signal);
    return sandbox;
  } catch (thrown) {
    await removeScratch(scratch);
    throw thrown;
  }
}

interface Copy {
  readonly scratch: string;
  readonly copy: string;
  /** The change time of each file when it was copied. */
  readonly copied: ReadonlyMap<string, bigint>;
}

class CopiedSandbox implements Sandbox {
  readonly tier = 'copied';
  readonly because: string;
  readonly root: string;
  readonly #request: SandboxRequest;
  readonly #copy: Copy;
  readonly #view: FileView;
  readonly #tree: CopiedTree;
  #shown: Overlay | undefined;

  constructor(request: SandboxRequest, copy: Copy) {
    this.#request = request;
    this.#copy = copy;
    this.because = request.because || 'the copied tier was requested';
    this.root = copy.copy;
    this.#view = new FileView({ view: copy.copy, root: request.workspace.root });
    this.#tree = new CopiedTree(copy.copy);
  }

  async run(command: CommandLine, options: RunOptions, signal: AbortSignal): Promise<CommandOutcome> {
    const { variables, path } = commandEnvironment(this.#request.env, options.env ?? {});
    const finished = await runConfined(
      {
        argv: waiting(shellWords(command), { path }),
        cwd: join(this.root, options.cwd ?? rootPath),
        env: { ...variables, PATH: systemPath },
        timeoutMs: options.timeoutMs,
        maxOutputBytes: options.maxOutputBytes ?? defaultMaxOutputBytes,
        onOutput: options.onOutput,
        end: async (child) => {
          await child.terminate(0);
        },
      },
      signal,
    );
    return { ...finished, diskFull: false };
  }

  async show(overlay: Overlay, signal: AbortSignal): Promise<void> {
    const touched = await showOverlay(this.#view, { from: this.#shown, to: overlay }, signal);
    if (this.#shown === undefined) await this.#tree.remember(signal);
    else await this.#tree.rememberPaths(touched);
    this.#shown = overlay;
  }

  async harvest(signal: AbortSignal): Promise<HarvestOutcome> {
    const { workspace, overlay, limits } = this.#request;
    const { copy, copied } = this.#copy;
    const linkTarget = (target: string): string =>
      target === copy || target.startsWith(`${copy}/`) ? workspace.root + target.slice(copy.length) : target;
    const shown = this.#shown ?? overlay;
    const outcome = await gatherChanges(
      {
        shown,
        tree: copy,
        root: workspace.root,
        isChangedBelow: (path, now) => copied.get(path) !== now?.ctimeNs,
        linkTarget,
        limits: limits.harvest,
        // Its commands are not confined: they may have written anywhere.
        outside: { files: [], caches: [], truncated: true },
      },
      await this.#tree.changes(signal),
      signal,
    );
    if (outcome.kind === 'harvested') {
      this.#shown = outcome.overlay;
      await this.#tree.remember(signal);
    }
    return outcome;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return removeScratch(this.#copy.scratch);
  }
}
