/**
 * The host paths besides the workspace that commands in a confined root may see.
 *
 * Invariant: a directory outside the fixed system directories is shown only if the user's environment names it or it
 * is a known toolchain directory, never because a file of the workspace says so. A directory that is or contains a
 * home directory, or overlaps with secrets, is never shown.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { errnoOf } from '../../base/errno.ts';
import { userId } from '../../storage/user-directories.ts';
import { everyHome, homesOf, insideHome, spareHome } from './home-place.ts';
import { isWithin, type SandboxPlace } from './place.ts';
import { secretNames } from './secret-place.ts';
import { type ToolchainDirectory, toolchainCacheNames, toolchainDirectories } from './toolchain-place.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export async function machinePlaces(env: Environment): Promise<readonly SandboxPlace[]> {
  const homes = guardedHomes(env);
  const found = await Promise.all([
    systemPlaces(),
    ...toolchainDirectories.map((each) => toolchainPlaces(each, env)),
    ...cacheDirectories(env).flatMap((cache) =>
      toolchainCacheNames.map((name) => hostPlace('layered', join(cache, name), homes)),
    ),
    ...programDirectories(env).map((directory) => programPlaces(directory, homes)),
  ]);
  return [...privatePlaces(env), ...found.flat()];
}

/** The home directories that are checked for secrets. root can read those of all users. */
export function guardedHomes(env: Environment): readonly string[] {
  return userId() === 0 ? everyHome(env) : homesOf(env);
}

/** Credentials of toolchains in a system directory, which is shown as a whole. */
export function toolchainSecrets(env: Environment): readonly string[] {
  return toolchainDirectories.flatMap(({ variable, secrets = [] }) => {
    const directory = variable === undefined ? undefined : env[variable];
    return directory && isAbsolute(directory) ? secrets.map((name) => join(directory, name)) : [];
  });
}

/** Writable and empty. The XDG directories are in the home directory unless variables move them. */
function privatePlaces(env: Environment): readonly SandboxPlace[] {
  const moved = [env.XDG_CACHE_HOME, env.XDG_CONFIG_HOME, env.XDG_DATA_HOME].flatMap((path) =>
    path && isAbsolute(path) && isPlaceable(normalize(path)) ? [trimmed(path)] : [],
  );
  const paths = ['/tmp', '/var/tmp', '/run', '/dev/shm', spareHome, insideHome(env), ...moved];
  return paths.map((path) => ({ kind: 'private', path }));
}

const systemDirectories: readonly string[] = ['/usr', '/nix/store', '/gnu/store', '/snap'];

/** On most systems, these are links into /usr. */
export const systemLinks: readonly string[] = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

async function systemPlaces(): Promise<readonly SandboxPlace[]> {
  const directories = await Promise.all(
    [...systemDirectories, ...systemLinks].map(async (path) =>
      (await kindOf(path)) === 'directory' && (await realpath(path)) === path
        ? [{ kind: 'system' as const, path }]
        : [],
    ),
  );
  // Software below /opt has its programs in `bin`; other entries are not software.
  const optional = await readdir('/opt').catch(() => []);
  const installed = await Promise.all(
    optional.map(async (name) => {
      const path = join('/opt', name);
      const hasPrograms = (await kindOf(join(path, 'bin'))) === 'directory';
      return hasPrograms ? [{ kind: 'shown' as const, path, source: path }] : [];
    }),
  );
  return [...directories.flat(), ...installed.flat()];
}

async function toolchainPlaces(
  { variable, home: name, shown, layered }: ToolchainDirectory,
  env: Environment,
): Promise<readonly SandboxPlace[]> {
  const moved = variable === undefined ? undefined : env[variable];
  // GOPATH may name several directories.
  const named = (moved ?? '').split(':').filter((path) => isAbsolute(path));
  const directories = new Set([...named.map(trimmed), ...homesOf(env).map((home) => join(home, name))]);
  const parts = shown === undefined && layered === undefined ? [''] : (shown ?? []);
  const homes = guardedHomes(env);
  const places = [...directories].flatMap((directory) => [
    ...parts.map((part) => hostPlace('shown', join(directory, part), homes)),
    ...(layered ?? []).map((part) => hostPlace('layered', join(directory, part), homes)),
  ]);
  return (await Promise.all(places)).flat();
}

function cacheDirectories(env: Environment): readonly string[] {
  const moved = env.XDG_CACHE_HOME;
  const usual = homesOf(env).map((home) => join(home, '.cache'));
  return moved && isAbsolute(moved) ? [trimmed(moved), ...usual] : usual;
}

/** The search path, and the directory of our own runtime. */
function programDirectories(env: Environment): readonly string[] {
  const path = (env.PATH ?? '').split(':').filter((each) => isAbsolute(each));
  return [...new Set([...path.map(trimmed), dirname(process.execPath)])];
}

/** A program often needs files installed with it: `bin` in a prefix stands for that prefix. */
async function programPlaces(directory: string, homes: readonly string[]): Promise<readonly SandboxPlace[]> {
  const prefix = dirname(directory);
  const isPrefix =
    /^s?bin$/.test(basename(directory)) &&
    !isShared(prefix, homes) &&
    (
      await Promise.all(['lib', 'lib64', 'libexec', 'share'].map((name) => kindOf(join(prefix, name))))
    ).includes('directory');
  return hostPlace('shown', isPrefix ? prefix : directory, homes);
}

/** Prefixes that many programs share with user data. */
function isShared(prefix: string, homes: readonly string[]): boolean {
  return homes.some((home) => isWithin(home, prefix) || prefix === join(home, '.local'));
}

/** A path of the host at its own location and, if it is a link, at its real one. */
export async function hostPlace(
  kind: 'shown' | 'layered',
  path: string,
  homes: readonly string[],
): Promise<readonly SandboxPlace[]> {
  const found = await kindOf(path);
  if (found === undefined) return [];
  const source = await realpath(path);
  const isAllowed = (each: string): boolean => isPlaceable(each) && !isPersonal(each, homes);
  const paths = [...new Set([path, source])];
  if (!paths.every(isAllowed)) return [];
  return paths.map((each) => ({ kind: found === 'file' ? 'file' : kind, path: each, source }));
}

/** Whether a mount at this path does not cover essential parts of the root. */
export function isPlaceable(path: string): boolean {
  return path !== '/' && !reserved.test(path) && !tooBroad.has(path);
}

const reserved = /^\/(?:proc|sys|dev|etc|boot)(?:\/|$)/;

const tooBroad: ReadonlySet<string> = new Set([
  ...[
    '/home',
    '/root',
    '/var',
    '/srv',
    '/mnt',
    '/media',
    '/opt',
    '/tmp',
    '/run',
    '/usr',
    '/var/lib',
    '/var/log',
  ],
  ...systemLinks,
]);

/** Whether a directory is or contains a home directory, or overlaps with secrets. */
function isPersonal(path: string, homes: readonly string[]): boolean {
  return homes.some(
    (home) =>
      isWithin(home, path) ||
      secretNames.some((name) => isWithin(path, join(home, name)) || isWithin(join(home, name), path)),
  );
}

async function kindOf(path: string): Promise<'directory' | 'file' | undefined> {
  try {
    const stats = await stat(path);
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : undefined;
  } catch (thrown) {
    if (unreadable.has(errnoOf(thrown) ?? '')) return undefined;
    throw thrown;
  }
}

const unreadable: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'ELOOP',
  'ENAMETOOLONG',
  'EPERM',
]);

function trimmed(path: string): string {
  const plain = normalize(path);
  return plain.length > 1 ? plain.replace(/\/+$/, '') : plain;
}
