/**
 * A workspace with an overlay as real files, at a path that a server or command can read.
 *
 * Invariant: no operation changes a file of the real workspace, and disposal leaves nothing behind.
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

/** A workspace in which a program can be started while files change for that program only. */
export interface ShownWorkspace extends LaunchSite {
  /** `namespace`: the workspace's own path shows the changes. `copy`: a copy at `root` shows them. */
  readonly kind: MountKind;
  /** Shows `content` at `path` and creates its directories; a symlink is replaced, never followed. */
  write(path: WorkspacePath, content: FileContent): Promise<void>;
  /** Shows no file at `path`. */
  remove(path: WorkspacePath): Promise<void>;
  /**
   * Shows the current content of the disk at `path`. The view does not follow the disk by itself, not even for
   * unwritten paths, because the kernel caches names looked up below. A caller that learns of a change on disk must
   * restore that path.
   */
  restore(path: WorkspacePath): Promise<void>;
  /** The shown text of a plain file; undefined if there is none. */
  readText(path: string): Promise<string | undefined>;
}

/** A shown workspace whose programs run with all rights of this process. */
export interface MountedWorkspace extends ShownWorkspace {
  /** The argv that runs `command` inside, in `cwd` (a path inside; absent: the root). */
  wrapCommand(command: readonly string[], cwd?: string): string[];
}

export interface MountOptions {
  readonly method: MountMethod;
  readonly log: Log;
}

/** Mounts the workspace with the probed method; if its filesystem refuses, it is copied. */
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
      view: new FileView({ view: namespace.viewPath, root, remount: () => namespace.remount() }),
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
      view: new FileView({ view: copy, root }),
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
