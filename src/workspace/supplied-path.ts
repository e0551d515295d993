/**
 * Which files a workspace supplies: those in it, and those reached through it.
 *
 * Invariant: a path counts as supplied if any directory, link or file on the way to it lies in the workspace or in
 * the project around it. The final target of a link does not matter: the workspace decides where its links point.
 */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, parse, sep } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { errnoOf } from '../base/errno.ts';
import { enclosingDirectories } from './enclosing-directories.ts';
import { isAtOrBelow, realPathOf } from './real-path.ts';

/** The directories whose content arrived together with a workspace. */
export type Extent = readonly string[];

/**
 * The extent of a workspace: its root, and the outermost project that contains it. If a package of a monorepo is
 * opened alone, the programs in the monorepo's `node_modules` are equally untrusted.
 */
export function extentOf(root: string, env: Environment): Extent {
  const real = realPathOf(root);
  const around = enclosingDirectories(dirname(real), env);
  const outermost =
    around.findLast((above) => projectMarkers.some((name) => existsSync(join(above, name)))) ?? real;
  return outermost === real ? [real] : [real, outermost];
}

/** Files that mark a directory as part of a project larger than the opened root. */
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

/**
 * Whether a path leads into or through one of the directories of `extent`. Relative paths count, because they depend
 * on the caller.
 */
export function isSupplied(path: string, extent: Extent): boolean {
  if (!isAbsolute(path)) return true;
  return [...linkTrail(path), realPathOf(path)].some((visited) =>
    extent.some((root) => isAtOrBelow(visited, root)),
  );
}

/** The directories of a search path that a workspace does not supply. */
export function directoriesOutside(searchPath: string, extent: Extent): string {
  return searchPath
    .split(delimiter)
    .filter((directory) => !isSupplied(directory, extent))
    .join(delimiter);
}

const maxLinks = 40;

/** Every path visited while `path` is resolved link by link. */
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
    // Few entries are links, and to be refused by `readlink` takes ten times as long as to look.
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? readlinkSync(path) : undefined;
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}
