import type { Brand } from '../base/brand.ts';

/** A path inside a workspace: relative to its root, `/`-separated, normalised, never leaving it. `''` is the root. */
export type WorkspacePath = Brand<string, 'WorkspacePath'>;

export const rootPath: WorkspacePath = brandPath('');

/**
 * Normalises a relative, `/`-separated path; undefined if it is absolute, leaves the root or contains a NUL byte.
 * Purely lexical: `Workspace.resolve` follows links.
 */
export function parseWorkspacePath(relative: string): WorkspacePath | undefined {
  if (isPlain(relative)) return brandPath(relative);
  if (relative.startsWith('/') || relative.includes('\0')) return undefined;
  const segments: string[] = [];
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return brandPath(segments.join('/'));
}

/** The directory of a path; the root is its own parent. */
export function parentOf(path: WorkspacePath): WorkspacePath {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? rootPath : brandPath(path.slice(0, slash));
}

/** The last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of the entry `name` in `directory`. `name` is one segment, as in a directory listing. */
export function childOf(directory: WorkspacePath, name: string): WorkspacePath {
  return brandPath(directory === '' ? name : `${directory}/${name}`);
}

/** Every directory above `path`, nearest first, without the root. */
export function ancestorsOf(path: WorkspacePath): WorkspacePath[] {
  const ancestors: WorkspacePath[] = [];
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    ancestors.push(brandPath(path.slice(0, slash)));
  }
  return ancestors;
}

/** Whether `path` lies below `directory`; a path does not lie below itself. */
export function isBelow(path: WorkspacePath, directory: WorkspacePath): boolean {
  return directory === '' ? path !== '' : path.startsWith(`${directory}/`);
}

/** The new path of `path`, which is `from` or lies below it, after `from` was renamed to `to`. */
export function moveBelow(path: WorkspacePath, from: WorkspacePath, to: WorkspacePath): WorkspacePath {
  return brandPath(to + path.slice(from.length));
}

/** Orders paths by code unit, the same on every machine. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Most paths are already normalised; one pass over the string avoids the split. */
function isPlain(relative: string): boolean {
  return !/(^|\/)(\.{0,2})(\/|$)|\0/.test(relative);
}

function brandPath(normalised: string): WorkspacePath {
  return normalised as WorkspacePath;
}
