/**
 * A workspace as a process sees it that was shown an overlay on disk: real files, with changes laid over
 * them, at a path a server or command can read.
 *
 * Invariant: nothing done through a mounted workspace changes a file of the real one, and disposing it
 * leaves nothing behind.
 */
import { realpath } from 'node:fs/promises';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { FileView } from './internal/file-view.ts';
import { MountNamespace } from './internal/mount-namespace.ts';
import { openLayout } from './internal/open-layout.ts';
import { makeScratch, removeScratch } from './internal/scratch.ts';
import { copyWorkspace } from './internal/workspace-copy.ts';
import { type LaunchSite, openEnvironment } from './launch.ts';
import type { MountKind, MountMethod } from './mount.ts';

/** A workspace that a program can be started in while files of it are changed for that program alone. */
export interface ShownWorkspace extends LaunchSite {
  /** `namespace`: the workspace's own path shows the changes. `copy`: they show below `root`, elsewhere. */
  readonly kind: MountKind;
  /** Shows `content` at `path`, making its directories; a symlink in its place is replaced, never followed. */
  write(path: WorkspacePath, content: FileContent): Promise<void>;
  /** Shows no file at `path`. */
  remove(path: WorkspacePath): Promise<void>;
  /**
   * Shows what the disk holds at `path` now. The view does not follow the disk by itself, not even where it
   * was never written: the kernel remembers names it has looked up below. Whoever hears of a change on disk
   * restores that path.
   */
  restore(path: WorkspacePath): Promise<void>;
  /** The text of a plain file as it is shown; undefined where there is none. */
  readText(path: string): Promise<string | undefined>;
}

/** One whose programs run with all the rights of this process. */
export interface MountedWorkspace extends ShownWorkspace {
  /** The argument vector that runs `command` inside, in `cwd` (a path as seen inside; the root when absent). */
  wrapCommand(command: readonly string[], cwd?: string): string[];
}

export interface MountOptions {
  readonly method: MountMethod;
  readonly log: Log;
}

/** Mounts the workspace by the probed method; one that cannot be mounted (its filesystem refuses) is copied. */
export async function mountWorkspace(
  workspace: { readonly root: string },
  options: MountOptions,
  signal: AbortSignal,
): Promise<MountedWorkspace> {
  const root = await realpath(workspace.root);
  const { method, log } = options;
  if (method.kind === 'namespace') {
    try {
      return await mountNamespace(root, { ...method, log }, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      log.warning('sandbox.mount_refused', { root, code: 'sandbox/mount-refused', cause: messageOf(thrown) });
    }
  }
  return mountCopy(root, method.scratch, signal);
}

async function mountNamespace(
  root: string,
  { scratch: parent, privilege, log }: NamespaceMethod,
  signal: AbortSignal,
): Promise<MountedWorkspace> {
  const scratch = await makeScratch(parent, root);
  try {
    const layout = openLayout(root, scratch, privilege);
    const namespace = await MountNamespace.open({ root, privilege, layout, log }, signal);
    return mounted('namespace', {
      root,
      view: new FileView(namespace.viewPath, root),
      wrapCommand: (command, cwd) => namespace.wrapCommand(command, cwd),
      dispose: async () => {
        await namespace[Symbol.asyncDispose]();
        await removeScratch(scratch);
      },
    });
  } catch (thrown) {
    await removeScratch(scratch);
    throw thrown;
  }
}

async function mountCopy(root: string, parent: string, signal: AbortSignal): Promise<MountedWorkspace> {
  const scratch = await makeScratch(parent, root);
  try {
    const copy = await copyWorkspace(root, { scratch, depth: 'sources' }, signal);
    return mounted('copy', {
      root: copy,
      view: new FileView(copy, root),
      wrapCommand: (command, cwd) => ['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command],
      dispose: () => removeScratch(scratch),
    });
  } catch (thrown) {
    await removeScratch(scratch);
    throw thrown;
  }
}

interface NamespaceMethod extends Extract<MountMethod, { kind: 'namespace' }> {
  readonly log: Log;
}

interface MountParts {
  readonly root: string;
  readonly view: FileView;
  readonly wrapCommand: (command: readonly string[], cwd: string) => string[];
  readonly dispose: () => Promise<void>;
}

function mounted(kind: MountKind, { root, view, wrapCommand, dispose }: MountParts): MountedWorkspace {
  return {
    kind,
    root,
    confinement: 'open',
    wrapCommand: (command, cwd = root) => wrapCommand(command, cwd),
    launch: async (request) => ({
      command: wrapCommand(request.command, request.cwd ?? root),
      cwd: root,
      env: openEnvironment(request),
    }),
    write: (path, content) => view.write(path, content),
    remove: (path) => view.remove(path),
    restore: (path) => view.restore(path),
    readText: (path) => view.readText(path),
    [Symbol.asyncDispose]: dispose,
  };
}
