/**
 * What of the machine around a workspace a confined command does not see, or sees as its own.
 *
 * Invariant: every path named is real (no link in it) and exists, and nothing that is hidden holds the workspace.
 */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errnoOf, isMissing } from '../../workspace/errno.ts';
import { secretNames, secretVariables, systemSecrets } from './secret-place.ts';

export interface Surroundings {
  /** Emptied, and written in private: where sockets of services and other people's temporary files lie. */
  readonly private: readonly string[];
  /** Shown as they are, and written in private: what builds expect to be able to write. */
  readonly caches: readonly string[];
  readonly hiddenDirectories: readonly string[];
  readonly hiddenFiles: readonly string[];
}

export async function surroundingsOf(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Surroundings> {
  const own = [...new Set([homedir(), env.HOME || homedir()])];
  const inHomes = (homes: readonly string[], names: readonly string[]): string[] =>
    homes.flatMap((home) => names.map((name) => join(home, name)));
  const emptied = ['/run', '/var/run', '/var/tmp', env.XDG_RUNTIME_DIR ?? '/run'];
  const privates = outermost(await existing(emptied, root));
  const isSeen = ({ path }: Place): boolean => !privates.some((place) => isWithin(path, place.path));
  const secrets = await existing(
    [
      ...inHomes([...own, ...(await otherHomes())], secretNames),
      ...secretVariables.flatMap((name) => env[name] || []),
      ...systemSecrets,
    ],
    root,
  );
  const caches = await existing([...inHomes(own, cacheNames), ...(await gitDirectories(root))], root);
  // They are hidden last of all, so none may hold the workspace.
  const visible = secrets.filter((place) => isSeen(place) && !isWithin(root, place.path));
  return {
    private: pathsOf(privates, 'directory'),
    // What lies in the workspace is written into its own changed layer.
    caches: pathsOf(outermost(caches.filter(isSeen)), 'directory').filter((path) => !isWithin(path, root)),
    hiddenDirectories: pathsOf(visible, 'directory'),
    hiddenFiles: pathsOf(visible, 'file'),
  };
}

/** Relative to a home directory: what package managers and compilers write, and can do without. */
const cacheNames: readonly string[] = [
  '.cache',
  '.npm',
  '.yarn',
  '.bun',
  '.cargo',
  '.gradle',
  '.m2',
  '.nuget',
  '.pub-cache',
  '.local/share/pnpm',
  'go/pkg',
];

interface Place {
  readonly path: string;
  readonly kind: 'directory' | 'file';
}

/** Root reads everybody's files. */
async function otherHomes(): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  const names = await readdir('/home').catch((thrown: unknown) => {
    if (isMissing(thrown)) return [];
    throw thrown;
  });
  return ['/root', ...names.map((name) => join('/home', name))];
}

/** The repository of a workspace that is only a part or a linked tree of it. Its commands write there too. */
async function gitDirectories(root: string): Promise<string[]> {
  for (let directory = root; ; directory = dirname(directory)) {
    const git = join(directory, '.git');
    const found = await placeAt(git);
    if (found?.kind === 'directory') return directory === root ? [] : [git];
    if (found?.kind === 'file') {
      const named = /^gitdir: (.+)$/m.exec(await readFile(git, 'utf8'))?.[1];
      if (named === undefined) return [];
      const own = resolve(directory, named);
      const common = await readFile(join(own, 'commondir'), 'utf8').catch(() => '.');
      return [resolve(own, common.trim())];
    }
    if (dirname(directory) === directory) return [];
  }
}

async function existing(candidates: readonly string[], root: string): Promise<readonly Place[]> {
  const places = new Map<string, Place>();
  for (const candidate of candidates) {
    const place = await placeAt(candidate);
    if (place && place.path !== '/' && place.path !== root) places.set(place.path, place);
  }
  return [...places.values()];
}

/** A path with its links followed; undefined where there is nothing we may look at. */
async function placeAt(path: string): Promise<Place | undefined> {
  try {
    const real = await realpath(path);
    const stats = await lstat(real);
    return { path: real, kind: stats.isDirectory() ? 'directory' : 'file' };
  } catch (thrown) {
    if (isMissing(thrown) || errnoOf(thrown) === 'EACCES' || errnoOf(thrown) === 'ELOOP') return undefined;
    throw thrown;
  }
}

/** Without those that lie in another of them. */
function outermost(places: readonly Place[]): readonly Place[] {
  return places.filter(
    ({ path }) => !places.some((other) => other.path !== path && isWithin(path, other.path)),
  );
}

function pathsOf(places: readonly Place[], kind: Place['kind']): string[] {
  return places.filter((place) => place.kind === kind).map((place) => place.path);
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
