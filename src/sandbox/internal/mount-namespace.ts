/**
 * A mount namespace in which the path of a workspace shows an overlay filesystem: the workspace below, a changed
 * layer above.
 *
 * Invariant: the namespace and its view are held by file descriptors of this process and by the commands inside, so
 * they cannot outlive these, and pid reuse cannot redirect a write or a command. The changed layer is written only
 * through the mounted view: the kernel forbids changing it underneath.
 */
import { once } from 'node:events';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { abortable } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { neverAborts } from '../../base/never-aborts.ts';
import { type ChildHandle, spawnChild } from '../../process/child-process.ts';
import { isExecutable } from '../../process/executable.ts';
import { runCommand } from '../../process/run-command.ts';
import { withoutInherited } from './inherited-descriptor.ts';
import { MountRefused } from './mount-refused.ts';

export { MountRefused } from './mount-refused.ts';

/**
 * `root` mounts directly; `user` first creates a user namespace; `mapped` is root in a user namespace that maps every
 * user, so that file owners are right and the keys and rights of the machine's root are out of reach.
 */
export type Privilege = 'root' | 'mapped' | 'user';

/** The mounts of a namespace. */
export interface MountLayout {
  /**
   * A shell script that mounts, changes to the directory that holds the changed layer as `upper`, prints one word and
   * waits for a line.
   */
  readonly script: string;
  readonly args: readonly string[];
  /** Further namespaces to create. */
  readonly besides: readonly ('net' | 'ipc' | 'uts')[];
}

export interface NamespaceOptions {
  readonly root: string;
  readonly privilege: Privilege;
  readonly layout: MountLayout;
  readonly log: Log;
}

export class MountNamespace implements AsyncDisposable {
  readonly #handles: NamespaceHandles;
  readonly #root: string;

  private constructor(handles: NamespaceHandles, root: string) {
    this.#handles = handles;
    this.#root = root;
  }

  static async open(options: NamespaceOptions, signal: AbortSignal): Promise<MountNamespace> {
    await using outer =
      options.privilege === 'mapped' ? await mappedNamespace(options.log, signal) : undefined;
    const holder = startHolder(options, outer?.fd);
    try {
      await whenMounted(holder, signal);
      return new MountNamespace(await openHandles(holder.pid, options), options.root);
    } finally {
      // Our descriptors keep the namespace alive, so the process that created it may exit.
      await holder.terminate(0);
    }
  }

  /** The workspace root inside, accessible to this process only. */
  get viewPath(): string {
    return `/proc/self/fd/${this.#handles.view.fd}`;
  }

  /** The root directory inside, accessible to this process only. */
  get rootPath(): string {
    return `/proc/self/fd/${this.#handles.root.fd}`;
  }

  /** The directory of the changed layer, accessible to this process only. */
  get storagePath(): string {
    return `/proc/self/fd/${this.#handles.storage.fd}`;
  }

  /**
   * The argv that runs a command inside. Each program on the way executes the next one, so the pid stays the same.
   */
  wrapCommand(command: readonly string[], cwd: string): string[] {
    // The directory is entered again inside: one entered outside still shows the files under the mount.
    return this.enter(['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command]);
  }

  /** The argv that runs a command inside without changing the directory. */
  enter(command: readonly string[]): string[] {
    const { entrances } = this.#handles;
    const asUser = entrances.some(({ kind }) => kind === 'user') ? ['--preserve-credentials'] : [];
    const held = entrances.map(
      ({ kind, handle }) => `--${option[kind]}=/proc/${process.pid}/fd/${handle.fd}`,
    );
    return [...withoutInherited([systemProgram('nsenter'), ...asUser, ...held, '--', ...command])];
  }

  /** Has the kernel forget what it looked up of the files below the overlay, as far as nothing has it open. */
  async remount(): Promise<void> {
    const command = this.enter([systemProgram('mount'), '-o', 'remount', '--', this.#root]);
    const limits = { timeoutMs: remountTimeoutMs, maxOutputBytes: 4096 };
    const options = { command, cwd: '/', env: { PATH: systemPath }, ...limits };
    // Not a caller's signal: a mount that is not up to date would stay that way.
    const { code, stderr } = await runCommand(options, neverAborts());
    if (code !== 0) throw new MountRefused(`the mount could not be renewed: ${stderr.trim()}`);
  }

  /** Releases the namespace; it disappears when no command runs inside. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { entrances, view, storage, root } = this.#handles;
    const opened = [...entrances.map(({ handle }) => handle), view, storage, root];
    await Promise.all(opened.map((each) => each.close()));
  }
}

const remountTimeoutMs = 10_000;

type NamespaceKind = 'user' | 'mnt' | 'net' | 'ipc' | 'uts';

/** The option of `nsenter` for each kind of namespace. */
const option: Readonly<Record<NamespaceKind, string>> = {
  user: 'user',
  mnt: 'mount',
  net: 'net',
  ipc: 'ipc',
  uts: 'uts',
};

interface NamespaceHandles {
  readonly entrances: readonly { readonly kind: NamespaceKind; readonly handle: FileHandle }[];
  readonly view: FileHandle;
  readonly storage: FileHandle;
  readonly root: FileHandle;
}

/** The search path for mounting programs, which no project can write. */
export const systemPath =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/** The full path: the caller's search path may lead to a program of the workspace. */
function systemProgram(name: string): string {
  const found = systemPath
    .split(':')
    .map((directory) => join(directory, name))
    .find(isExecutable);
  if (found === undefined) throw new MountRefused(`${name} is not installed`);
  return found;
}

/** A short-lived process that creates the mount in a new namespace, reports it, and waits to be released. */
function startHolder({ privilege, layout, log }: NamespaceOptions, outer: number | undefined): ChildHandle {
  const held = `/proc/${process.pid}/fd/${outer}`;
  const entered = outer === undefined ? [] : ['nsenter', '--preserve-credentials', `--user=${held}`, '--'];
  const asUser = privilege === 'user' ? ['--user', '--map-root-user'] : [];
  const kinds = layout.besides.map((kind) => `--${kind}`);
  const script = ['/bin/sh', '-c', layout.script, 'sh', ...layout.args];
  const command = [
    ...entered,
    'unshare',
    ...asUser,
    '--mount',
    ...kinds,
    '--propagation',
    'private',
    '--',
    ...script,
  ];
  return spawnChild({ command, cwd: '/', env: { PATH: systemPath }, log });
}

/** A user namespace with an identity mapping. Only its parent may write the mapping, and only root the full one. */
async function mappedNamespace(log: Log, signal: AbortSignal): Promise<FileHandle> {
  const command = ['unshare', '--user', '--', '/bin/sh', '-c', 'echo made && read -r _'];
  const maker = spawnChild({ command, cwd: '/', env: { PATH: systemPath }, log });
  try {
    await whenMounted(maker, signal);
    for (const map of ['uid_map', 'gid_map']) await writeFile(`/proc/${maker.pid}/${map}`, '0 0 4294967295');
    return await open(`/proc/${maker.pid}/ns/user`, 'r');
  } finally {
    await maker.terminate(0);
  }
}

async function whenMounted(holder: ChildHandle, signal: AbortSignal): Promise<void> {
  const said = once(holder.stdout, 'data').then(() => 'mounted');
  const outcome = await abortable(Promise.race([said, holder.exited.then(() => 'refused')]), signal);
  if (outcome === 'mounted') return;
  throw new MountRefused(holder.stderrTail.trim() || 'the mounting process exited without a message');
}

async function openHandles(
  pid: number,
  { root, privilege, layout }: NamespaceOptions,
): Promise<NamespaceHandles> {
  const opened: FileHandle[] = [];
  const keep = async (path: string): Promise<FileHandle> => {
    const handle = await open(path, 'r');
    opened.push(handle);
    return handle;
  };
  const asUser: readonly NamespaceKind[] = privilege === 'root' ? [] : ['user'];
  try {
    const entrances: NamespaceHandles['entrances'][number][] = [];
    for (const kind of [...asUser, 'mnt' as const, ...layout.besides]) {
      entrances.push({ kind, handle: await keep(`/proc/${pid}/ns/${kind}`) });
    }
    const view = await keep(join(`/proc/${pid}/root`, root));
    const storage = await keep(`/proc/${pid}/cwd`);
    return { entrances, view, storage, root: await keep(`/proc/${pid}/root`) };
  } catch (thrown) {
    for (const handle of opened) await handle.close();
    throw thrown;
  }
}
