/**
 * Runs commands in namespaces, over a layer that captures all writes.
 *
 * Invariant: nothing of it is on disk and nothing outlives this process, however it ends. File changes and commands
 * use one mounted view, so each sees the other's writes.
 */

import { randomUUID } from 'node:crypto';
import { lstat, statfs, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../base/errno.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { ChildHandle } from '../../process/child-process.ts';
import { rootPath } from '../../workspace/workspace-path.ts';
import type { CommandOutcome } from '../command-outcome.ts';
import type { HarvestOutcome } from '../harvest.ts';
import { CommandNotStarted } from '../sandbox-failure.ts';
import { defaultMaxOutputBytes } from '../sandbox-limits.ts';
import type { CommandLine, RunOptions, Sandbox, SandboxRequest } from '../sandbox-tier.ts';
import { changedInLayer } from './changed-layer.ts';
import { commandEnvironment } from './command-environment.ts';
import { runConfined } from './command-run.ts';
import { confinedCommand, firstProcessInside } from './confined-command.ts';
import { confinedLayout } from './confined-layout.ts';
import type { WrittenPlace } from './confined-script.ts';
import { confiningProgram, weaknessOf } from './confining-program.ts';
import { type ControlGroup, openControlGroup } from './control-group.ts';
import { FileView } from './file-view.ts';
import { gatherChanges } from './gathered-changes.ts';
import { type ProofRequest, proveIsolation } from './isolation-proof.ts';
import { MountNamespace, MountRefused, type Privilege, systemPath } from './mount-namespace.ts';
import { shellWords } from './shell-words.ts';
import { showOverlay } from './shown-overlay.ts';
import { writtenOutside } from './written-outside.ts';

/** Opens a sandbox if this machine has been proved to confine commands. */
export async function openIsolated(request: SandboxRequest, signal: AbortSignal): Promise<Sandbox> {
  return openConfined(request, await proveIsolation(openConfined, request, signal), signal);
}

/** The privilege with which this machine was proved to confine commands; throws the reason if it was not. */
export function proveConfinement(request: ProofRequest, signal: AbortSignal): Promise<Privilege> {
  return proveIsolation(openConfined, request, signal);
}

async function openConfined(
  request: SandboxRequest,
  privilege: Privilege,
  signal: AbortSignal,
): Promise<Sandbox> {
  if (process.platform !== 'linux') throw new MountRefused(`${process.platform} has no mount namespaces`);
  const { workspace, overlay, env, limits, log } = request;
  const { root } = workspace;
  const { maxDiskBytes } = limits;
  const shown = { workspace: 'overlay', writable: [] } as const;
  const layout = await confinedLayout({ root, privilege, maxDiskBytes, env, ...shown });
  const namespace = await MountNamespace.open({ root, privilege, layout, log }, signal);
  try {
    const { ctimeNs } = await lstat(join(namespace.storagePath, 'nothing'), { bigint: true });
    const { written } = layout;
    const readyNs = (await lstat(join(namespace.storagePath, 'ready'), { bigint: true })).ctimeNs;
    const group = await openControlGroup(limits, log);
    const times = { openedNs: ctimeNs, readyNs };
    const sandbox = new IsolatedSandbox(request, { namespace, group, privilege, written, ...times });
    await sandbox.show(overlay, signal);
    return sandbox;
  } catch (thrown) {
    await namespace[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** What `unshare` prints when the process it waits for is killed; it is not output of the command. */
const lastWords = /^unshare: .*\n$/m;

interface Confinement {
  readonly namespace: MountNamespace;
  readonly group: ControlGroup | undefined;
  readonly privilege: Privilege;
  readonly openedNs: bigint;
  readonly written: readonly WrittenPlace[];
  /** The time of the last write outside the workspace that was not made by a command. */
  readonly readyNs: bigint;
}

class IsolatedSandbox implements Sandbox {
  readonly tier = 'isolated';
  readonly because: string;
  readonly root: string;
  readonly #request: SandboxRequest;
  readonly #confinement: Confinement;
  readonly #view: FileView;
  #shown: Overlay | undefined;
  #harvestedNs: bigint;

  constructor(request: SandboxRequest, confinement: Confinement) {
    this.#request = request;
    this.#confinement = confinement;
    this.#harvestedNs = confinement.readyNs;
    this.because = [request.because, weaknessOf(confiningProgram())].filter((each) => each !== '').join('; ');
    this.root = request.workspace.root;
    const { namespace } = confinement;
    this.#view = new FileView({
      view: namespace.viewPath,
      root: this.root,
      remount: () => namespace.remount(),
    });
  }

  async run(command: CommandLine, options: RunOptions, signal: AbortSignal): Promise<CommandOutcome> {
    const { namespace, privilege, group } = this.#confinement;
    const { env, limits, workspace } = this.#request;
    const { variables, path } = commandEnvironment(env, options.env ?? {});
    const mark = randomUUID();
    const inside = await confinedCommand({
      command: shellWords(command),
      cwd: workspace.absolute(options.cwd ?? rootPath),
      path,
      privilege,
      maxProcesses: limits.maxProcesses,
      maxMemoryBytes: limits.maxMemoryBytes,
      maxFileBytes: limits.maxDiskBytes,
      mark,
    });
    const entered = namespace.enter(inside);
    const finished = await runConfined(
      {
        argv: group?.enter(entered) ?? entered,
        cwd: '/',
        env: { ...variables, PATH: systemPath },
        timeoutMs: options.timeoutMs,
        maxOutputBytes: options.maxOutputBytes ?? defaultMaxOutputBytes,
        onOutput: options.onOutput,
        end: endInside,
      },
      signal,
    );
    const failed = finished.stderr.indexOf(mark);
    if (failed >= 0) throw new CommandNotStarted(finished.stderr.slice(failed + mark.length).trim());
    const stderr = finished.timedOut ? finished.stderr.replace(lastWords, '') : finished.stderr;
    return { ...finished, stderr, diskFull: (await statfs(namespace.storagePath)).bavail === 0 };
  }

  async show(overlay: Overlay, signal: AbortSignal): Promise<void> {
    await showOverlay(this.#view, { from: this.#shown, to: overlay }, signal);
    this.#shown = overlay;
  }

  async harvest(signal: AbortSignal): Promise<HarvestOutcome> {
    const { namespace, openedNs, written } = this.#confinement;
    const storage = namespace.storagePath;
    const outside = await writtenOutside(storage, written, this.#harvestedNs);
    const { overlay, limits } = this.#request;
    const { root } = this;
    const upper = join(namespace.storagePath, 'upper');
    const changes = await changedInLayer({ upper, view: namespace.viewPath, root, openedNs }, signal);
    const shown = this.#shown ?? overlay;
    const outcome = await gatherChanges(
      {
        shown,
        tree: namespace.viewPath,
        root,
        isChangedBelow: (_, now) => now !== undefined && now.ctimeNs >= openedNs,
        limits: limits.harvest,
        outside,
      },
      changes,
      signal,
    );
    if (outcome.kind === 'harvested') {
      this.#shown = outcome.overlay;
      await utimes(join(storage, 'ready'), 0, 0);
      this.#harvestedNs = (await lstat(join(storage, 'ready'), { bigint: true })).ctimeNs;
    }
    return outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#confinement.namespace[Symbol.asyncDispose]();
    await this.#confinement.group?.[Symbol.asyncDispose]();
  }
}

/**
 * Kills the first process inside but not the one that waits for it: that one ends only after all others, which proves
 * that no process writes any more.
 */
async function endInside(child: ChildHandle): Promise<void> {
  const first = await firstProcessInside(child.pid);
  if (first === undefined) {
    await child.terminate(0);
    return;
  }
  try {
    process.kill(first, 'SIGKILL');
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ESRCH') throw thrown;
  }
}
