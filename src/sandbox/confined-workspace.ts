/**
 * A workspace for a confined program: the files on disk, or an overlay on them, with no network, no secrets, an
 * allow-listed environment, and write access only to our caches.
 *
 * Invariant: a program that cannot be confined is not started. When the process we started has ended, all processes
 * of the confinement have: they form a pid namespace that ends with its first process.
 */
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { Log } from '../base/log.ts';
import type { Confinement } from './confinement.ts';
import { commandEnvironment } from './internal/command-environment.ts';
import { confinedCommand } from './internal/confined-command.ts';
import { confinedLayout } from './internal/confined-layout.ts';
import { FileView } from './internal/file-view.ts';
import { insideHome } from './internal/home-place.ts';
import { insideSocket } from './internal/inside-socket.ts';
import { MountNamespace, systemPath } from './internal/mount-namespace.ts';
import type { Launch, LaunchRequest, LaunchSite } from './launch.ts';
import type { ShownWorkspace } from './mounted-workspace.ts';
import { withDefaults } from './sandbox-limits.ts';

export interface ConfineOptions {
  readonly confinement: Confinement & { readonly kind: 'available' };
  /** Directories of our cache that the program may write. */
  readonly writable: readonly string[];
  /** The installation directories of the program. */
  readonly readable: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** The workspace on disk, read-only, following later changes of the disk. */
export async function confineDisk(
  workspace: { readonly root: string },
  options: ConfineOptions,
  signal: AbortSignal,
): Promise<LaunchSite> {
  const root = await realpath(workspace.root);
  const namespace = await openNamespace(root, 'read-only', options, signal);
  return siteIn(namespace, root, options);
}

/** The workspace with an overlay on it; files that the program writes are discarded. */
export async function confineOverlay(
  workspace: { readonly root: string },
  options: ConfineOptions,
  signal: AbortSignal,
): Promise<ShownWorkspace> {
  const root = await realpath(workspace.root);
  const namespace = await openNamespace(root, 'overlay', options, signal);
  const view = new FileView({ view: namespace.viewPath, root, remount: () => namespace.remount() });
  return {
    ...siteIn(namespace, root, options),
    kind: 'namespace',
    write: (path, content) => view.write(path, content),
    remove: (path) => view.remove(path),
    restore: (path) => view.restore(path),
    readText: (path) => view.readText(path),
  };
}

async function openNamespace(
  root: string,
  workspace: 'overlay' | 'read-only',
  { confinement, writable, readable, env, log }: ConfineOptions,
  signal: AbortSignal,
): Promise<MountNamespace> {
  const { privilege } = confinement;
  const { maxDiskBytes } = withDefaults({});
  const layout = await confinedLayout({ root, privilege, maxDiskBytes, env, workspace, writable, readable });
  return MountNamespace.open({ root, privilege, layout, log }, signal);
}

function siteIn(namespace: MountNamespace, root: string, options: ConfineOptions): LaunchSite {
  return {
    root,
    confinement: 'confined',
    launch: (request) => confinedLaunch(namespace, root, options, request),
    socketAt: (path) => insideSocket(namespace.rootPath, path),
    [Symbol.asyncDispose]: () => namespace[Symbol.asyncDispose](),
  };
}

async function confinedLaunch(
  namespace: MountNamespace,
  root: string,
  { confinement }: ConfineOptions,
  { command, cwd = root, inherited, env = {} }: LaunchRequest,
): Promise<Launch> {
  const { variables, path } = commandEnvironment(inherited, env);
  const { maxProcesses, maxMemoryBytes, maxDiskBytes } = withDefaults({});
  const inside = await confinedCommand({
    command,
    cwd,
    path,
    privilege: confinement.privilege,
    maxProcesses,
    maxMemoryBytes,
    maxFileBytes: maxDiskBytes,
    mark: `not started (${randomUUID()}):`,
  });
  const home = env.HOME ?? insideHome(inherited);
  return { command: namespace.enter(inside), cwd: '/', env: { ...variables, HOME: home, PATH: systemPath } };
}
