/**
 * A mount namespace in which a workspace's own path shows an overlay filesystem: the workspace below, a
 * scratch directory above.
 *
 * Invariant: the namespace and its view are held by open descriptors of this process and by the commands
 * that run inside, so they cannot outlive them, and no reuse of a process id can lead a write or a command
 * astray. The changed layer is written through the mounted view only: the kernel forbids changing it underneath.
 */
import { once } from 'node:events';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { abortable } from '../../base/deadline.ts';
import { Failure } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { type ChildHandle, spawnChild } from '../../process/child-process.ts';

/** `root` mounts as it is; `user` first makes a user namespace in which it may. */
export type Privilege = 'root' | 'user';

export interface NamespaceOptions {
  readonly root: string;
  readonly scratch: string;
  readonly privilege: Privilege;
  readonly log: Log;
}

export class MountRefused extends Failure {
  readonly code = 'sandbox/mount-refused';
  readonly remedy = 'Allow unprivileged user namespaces, or let workspaces be copied instead of mounted.';
}

export class MountNamespace implements AsyncDisposable {
  readonly #handles: NamespaceHandles;

  private constructor(handles: NamespaceHandles) {
    this.#handles = handles;
  }

  static async open(options: NamespaceOptions, signal: AbortSignal): Promise<MountNamespace> {
    for (const part of ['lower', 'upper', 'work']) await mkdir(join(options.scratch, part));
    const holder = startHolder(options);
    try {
      await whenMounted(holder, signal);
      const handles = await openHandles(holder.pid, options);
      return new MountNamespace(handles);
    } finally {
      // The namespace lives on in our descriptors, so its maker may go.
      await holder.terminate(0);
    }
  }

  /** The workspace's root as it shows inside, reachable by this process alone. */
  get viewPath(): string {
    return `/proc/self/fd/${this.#handles.view.fd}`;
  }

  /** The argv that runs a command inside. Each program on the way replaces itself, so one pid is kept throughout. */
  wrapCommand(command: readonly string[], cwd: string): string[] {
    const held = (handle: FileHandle) => `/proc/${process.pid}/fd/${handle.fd}`;
    const { mount, user } = this.#handles;
    const asUser = user ? [`--user=${held(user)}`, '--preserve-credentials'] : [];
    // The directory is entered again inside: one entered outside still shows what the mount covers.
    const start = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command];
    return ['nsenter', ...asUser, `--mount=${held(mount)}`, '--', ...start];
  }

  /** Lets go of the namespace; it is gone as soon as no command runs inside. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { mount, user, view } = this.#handles;
    await Promise.all([mount.close(), user?.close(), view.close()]);
  }
}

interface NamespaceHandles {
  readonly mount: FileHandle;
  readonly user: FileHandle | undefined;
  readonly view: FileHandle;
}

/**
 * The workspace is bound to a name of our own first, so that no path of the user's stands among the mount
 * options, where commas, colons and backslashes have a meaning.
 */
const mountScript = `mount --bind -- "$1" "$2/lower" && cd "$2" &&
  mount -t overlay -o "lowerdir=lower,upperdir=upper,workdir=work$3" -- overlay "$1" && echo mounted && read -r _`;

/** Where the programs that mount are looked for: never where a project could have put its own. */
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/** A short-lived process that makes the mount in a namespace of its own, says so, and waits to be let go. */
function startHolder({ root, scratch, privilege, log }: NamespaceOptions): ChildHandle {
  const asUser = privilege === 'user' ? ['--user', '--map-root-user'] : [];
  // An ordinary user may only keep the overlay's own marks in user attributes.
  const extraOptions = privilege === 'user' ? ',userxattr' : '';
  const script = ['/bin/sh', '-c', mountScript, 'sh', root, scratch, extraOptions];
  const command = ['unshare', ...asUser, '--mount', '--propagation', 'private', '--', ...script];
  return spawnChild({ command, cwd: '/', env: { PATH: systemPath }, log });
}

async function whenMounted(holder: ChildHandle, signal: AbortSignal): Promise<void> {
  const said = once(holder.stdout, 'data').then(() => 'mounted');
  const outcome = await abortable(Promise.race([said, holder.exited.then(() => 'refused')]), signal);
  if (outcome === 'mounted') return;
  throw new MountRefused(holder.stderrTail.trim() || 'the mounting process ended without a word');
}

async function openHandles(pid: number, { root, privilege }: NamespaceOptions): Promise<NamespaceHandles> {
  const opened: FileHandle[] = [];
  const keep = async (path: string): Promise<FileHandle> => {
    const handle = await open(path, 'r');
    opened.push(handle);
    return handle;
  };
  try {
    return {
      mount: await keep(`/proc/${pid}/ns/mnt`),
      user: privilege === 'user' ? await keep(`/proc/${pid}/ns/user`) : undefined,
      view: await keep(join(`/proc/${pid}/root`, root)),
    };
  } catch (thrown) {
    for (const handle of opened) await handle.close();
    throw thrown;
  }
}
