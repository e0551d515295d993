/**
 * The layout for untrusted commands: an empty root directory, to which allowed parts are added. System directories
 * and toolchains are read-only; there are the workspace, private writable directories, harmless devices, and no
 * network but a loopback.
 *
 * Invariant: a path that is not mounted here does not exist inside. The changed layer and all private directories are
 * in one tmpfs of the namespace, so nothing is written to disk and nothing is left behind, however the process ends;
 * only the directories that the request names as writable are the host's.
 */
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { isUnreadable } from '../../base/errno.ts';
import { userId } from '../../storage/user-directories.ts';
import { copiedConfiguration, writtenConfiguration } from './configuration-place.ts';
import { ConfinedScript, type WrittenPlace } from './confined-script.ts';
import { guardedHomes, hostPlace, machinePlaces, systemLinks, toolchainSecrets } from './machine-place.ts';
import type { MountLayout, Privilege } from './mount-namespace.ts';
import { MountRefused } from './mount-refused.ts';
import { mountsIn } from './mount-table.ts';
import { neighbourPlaces } from './neighbour-place.ts';
import { attributesOption } from './open-layout.ts';
import { arrangedPlaces, isWithin, type SandboxPlace } from './place.ts';
import { filterArchitecture, seccompFilter } from './seccomp-filter.ts';
import { secretPlaces } from './secret-place.ts';

export interface ConfinedRequest {
  readonly root: string;
  readonly privilege: Privilege;
  /**
   * `overlay`: the workspace is writable, and writes are kept apart. `read-only`: the workspace itself, following the
   * disk.
   */
  readonly workspace: 'overlay' | 'read-only';
  /** Existing directories of ours on the host that commands may write, at their own paths. */
  readonly writable: readonly string[];
  /** Installation directories of the programs, shown read-only; absent: none. */
  readonly readable?: readonly string[];
  /** Total bytes that commands may write. */
  readonly maxDiskBytes: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ConfinedLayout extends MountLayout {
  /** Where the storage holds files written outside the workspace. */
  readonly written: readonly WrittenPlace[];
}

export async function confinedLayout(request: ConfinedRequest): Promise<ConfinedLayout> {
  const { root, privilege, env, writable, readable = [] } = request;
  if (root === '/') throw new MountRefused('the root directory cannot be the workspace of a sandbox');
  const homes = guardedHomes(env);
  const { uid, gid, mode } = await stat(root);
  const mounts = mountsIn(await readFile('/proc/self/mountinfo', 'utf8'));
  const places = arrangedPlaces([
    { kind: 'workspace', path: root },
    ...writable.map((path): SandboxPlace => ({ kind: 'writable', path })),
    ...writtenConfiguration(env),
    ...(await machinePlaces(env)),
    ...(await Promise.all(readable.map((path) => hostPlace('shown', path, homes)))).flat(),
    ...(await neighbourPlaces(root, homes)),
  ]);
  const script = new ConfinedScript({
    places,
    mounts,
    workspace: request.workspace,
    maxDiskBytes: request.maxDiskBytes,
    attributes: attributesOption(privilege),
    owner: { mode: mode & 0o7777, uid, gid },
    configuration: await copiedConfiguration(),
    links: await linksAmong([...systemLinks, '/dev/fd', '/dev/stdin', '/dev/stdout', '/dev/stderr']),
    hidden: await existing([...secretPlaces(env, homes), ...toolchainSecrets(env)], places),
    isRoot: userId() === 0,
    filter: filterFor(request),
  });
  return { script: script.text(), args: [], besides: ['net', 'ipc', 'uts'], written: script.written() };
}

/** Bound directories of the host show its sockets, and no mount prevents a connection to one. */
function filterFor({ workspace, writable }: ConfinedRequest): Buffer | undefined {
  const architecture = filterArchitecture();
  const isBound = workspace === 'read-only' || writable.length > 0;
  return architecture && seccompFilter({ architecture, unixSockets: isBound ? 'refused' : 'allowed' });
}

async function linksAmong(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await kindOf(path)) === 'link' ? [path] : [])));
  return found.flat();
}

/** Secrets that would be visible: in a workspace that is a home directory, and in system directories. */
async function existing(
  candidates: readonly string[],
  places: readonly SandboxPlace[],
): Promise<readonly { readonly path: string; readonly kind: 'directory' | 'file' }[]> {
  const shown = places.filter(({ kind }) => kind !== 'private' && kind !== 'text' && kind !== 'writable');
  const found = await Promise.all(
    [...new Set(candidates)].map(async (candidate) => {
      const path = await realpath(candidate).catch(() => undefined);
      if (path === undefined || !shown.some((place) => path !== place.path && isWithin(path, place.path)))
        return [];
      return [{ path, kind: (await stat(path)).isDirectory() ? ('directory' as const) : ('file' as const) }];
    }),
  );
  return found.flat();
}

async function kindOf(path: string): Promise<'link' | 'other'> {
  try {
    return (await lstat(path)).isSymbolicLink() ? 'link' : 'other';
  } catch (thrown) {
    if (isUnreadable(thrown)) return 'other';
    throw thrown;
  }
}
