/**
 * A mount namespace in which a workspace's own path shows an overlay filesystem: the workspace below, a
 * changed layer above.
 *
 * Invariant: the namespace and its view are held by open descriptors of this process and by the commands
 * that run inside, so they cannot outlive them, and no reuse of a process id can lead a write or a command
 * astray. The changed layer is written through the mounted view only: the kernel forbids changing it underneath.
 */
import { once } from 'node:events';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { abortable } from '../../base/deadline.ts';
import type { Log } from '../../base/log.ts';
import { type ChildHandle, spawnChild } from '../../process/child-process.ts';
import { isExecutable } from '../../process/executable.ts';
import { withoutInherited } from './inherited-descriptor.ts';
import { MountRefused } from './mount-refused.ts';

export { MountRefused } from './mount-refused.ts';

/**
 * `root` mounts as it is; `user` first makes a user namespace in which it may; `mapped` is root in a user namespace
 * that knows every user, so that files look as they are and the keys and rights of the machine's root are out of reach.
 */
export type Privilege = 'root' | 'mapped' | 'user';

/** What is mounted in a namespace. */
export interface MountLayout {
  /**
   * Shell text that mounts, goes to the directory that holds the changed layer as `upper`, says one word and
   * waits for a line.
   */
  readonly script: string;
  readonly args: readonly string[];
  /** Namespaces of other kinds that go with it. */
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

  private constructor(handles: NamespaceHandles) {
    this.#handles = handles;
  }

  static async open(options: NamespaceOptions, signal: AbortSignal): Promise<MountNamespace> {
    await using outer =
      options.privilege === 'mapped' ? await mappedNamespace(options.log, signal) : undefined;
    const holder = startHolder(options, outer?.fd);
    try {
      await whenMounted(holder, signal);
      return new MountNamespace(await openHandles(holder.pid, options));
    } finally {
      // The namespace lives on in our descriptors, so its maker may go.
      await holder.terminate(0);
    }
  }

  /** The workspace's root as it shows inside, reachable by this process alone. */
  get viewPath(): string {
    return `/proc/self/fd/${this.#handles.view.fd}`;
  }

  /** The directory that holds the changed layer, reachable by this process alone. */
  get storagePath(): string {
    return `/proc/self/fd/${this.#handles.storage.fd}`;
  }

  /** The argv that runs a command inside. Each program on the way replaces itself, so one pid is kept throughout. */
  wrapCommand(command: readonly string[], cwd: string): string[] {
    // The directory is entered again inside: one entered outside still shows what the mount covers.
    return this.enter(['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command]);
  }

  /** The argv that runs a command inside without going to a directory there first. */
  enter(command: readonly string[]): string[] {
    const { entrances } = this.#handles;
    const asUser = entrances.some(({ kind }) => kind === 'user') ? ['--preserve-credentials'] : [];
    const held = entrances.map(
      ({ kind, handle }) => `--${option[kind]}=/proc/${process.pid}/fd/${handle.fd}`,
    );
    return [...withoutInherited([systemProgram('nsenter'), ...asUser, ...held, '--', ...command])];
  }

  /** Lets go of the namespace; it is gone as soon as no command runs inside. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { entrances, view, storage } = this.#handles;
    await Promise.all([...entrances.map(({ handle }) => handle), view, storage].map((each) => each.close()));
  }
}

type NamespaceKind = 'user' | 'mnt' | 'net' | 'ipc' | 'uts';

/** What `nsenter` calls the namespaces the kernel lists. */
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
}

/** Where the programs that mount are looked for: never where a project could have put its own. */
export const systemPath =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/** Named in full: the caller's search path may lead to a program of the workspace. */
function systemProgram(name: string): string {
  const found = systemPath
    .split(':')
    .map((directory) => join(directory, name))
    .find(isExecutable);
  if (found === undefined) throw new MountRefused(`${name} is not installed`);
  return found;
}

/** A short-lived process that makes the mount in a namespace of its own, says so, and waits to be let go. */
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

/** A user namespace in which every user and group is itself. Only its parent may say so, and only root everything. */
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
  throw new MountRefused(holder.stderrTail.trim() || 'the mounting process ended without a word');
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
    return { entrances, view, storage: await keep(`/proc/${pid}/cwd`) };
  } catch (thrown) {
    for (const handle of opened) await handle.close();
    throw thrown;
  }
}
