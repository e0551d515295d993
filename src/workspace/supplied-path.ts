/**
 * Which files a workspace supplies: those in it, and those that are reached through it.
 *
 * Invariant: a path counts as supplied if any directory, link or file on the way to it lies in the workspace or in the
 * project around it. What a link finally points to does not matter: the workspace decides where its links point.
 */
import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { type Environment, homeDirectory } from '../storage/user-directories.ts';
import { errnoOf } from './errno.ts';

/** The directories whose content arrived together with a workspace. */
export type Extent = readonly string[];

/**
 * The extent of a workspace: its root, and the outermost project that contains it. A package of a monorepo is opened by
 * itself, and the programs in the monorepo's `node_modules` come from the same stranger.
 */
export function extentOf(root: string, env: Environment): Extent {
  const real = realPathOf(root);
  const shared = new Set(
    [homeDirectory(env), tmpdir(), '/tmp', '/var/tmp', parse(real).root].map((path) => realPathOf(path)),
  );
  let outermost = real;
  for (let above = dirname(real); !shared.has(above) && above !== dirname(above); above = dirname(above)) {
    if (projectMarkers.some((name) => existsSync(join(above, name)))) outermost = above;
  }
  return outermost === real ? [real] : [real, outermost];
}

/** Files that mark a directory as part of a project that is wider than the opened root. */
const projectMarkers = [
  '.git',
  'package.json',
  'pnpm-workspace.yaml',
  'pyproject.toml',
  'Cargo.toml',
  'go.work',
  'go.mod',
  'node_modules',
  '.venv',
];

/** Whether a path leads into or through one of the directories of `extent`. Relative paths count: they depend on the caller. */
export function isSupplied(path: string, extent: Extent): boolean {
  if (!isAbsolute(path)) return true;
  return [...linkTrail(path), realPathOf(path)].some((visited) =>
    extent.some((root) => isBelow(visited, root)),
  );
}

/** The directories of a search path that a workspace does not supply. */
export function directoriesOutside(searchPath: string, extent: Extent): string {
  return searchPath
    .split(delimiter)
    .filter((directory) => !isSupplied(directory, extent))
    .join(delimiter);
}

/** Whether `path` is `directory` or lies below it; both must be real paths. */
export function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** The real path, or the path itself with its existing part resolved. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), path.slice(above.length).replace(/^[\\/]+/, ''));
  }
}

const maxLinks = 40;

/** Every path that is visited when `path` is resolved link by link. */
function linkTrail(path: string): readonly string[] {
  const { root } = parse(path);
  const trail: string[] = [];
  let pending = segmentsOf(path.slice(root.length));
  let at = root;
  for (let links = 0; pending.length > 0; ) {
    const [name = '', ...rest] = pending;
    pending = rest;
    const next = name === '..' ? dirname(at) : join(at, name);
    trail.push(next);
    const target = linkTarget(next);
    if (target === undefined || ++links > maxLinks) {
      at = next;
      continue;
    }
    const targetRoot = parse(target).root;
    if (targetRoot !== '') at = targetRoot;
    pending = [...segmentsOf(target.slice(targetRoot.length)), ...pending];
  }
  return trail;
}

function segmentsOf(path: string): string[] {
  return path.split(sep === '/' ? '/' : /[\\/]/).filter((name) => name !== '' && name !== '.');
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}
