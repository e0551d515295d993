import type { Brand } from '../base/brand.ts';

/** A path inside a workspace: relative to its root, `/`-separated, normalised, never leaving it. `''` is the root. */
export type WorkspacePath = Brand<string, 'WorkspacePath'>;

export const rootPath: WorkspacePath = brandPath('');

/**
 * Normalises a relative, `/`-separated path; undefined when it is absolute, climbs out of the root or
 * holds a NUL byte. Purely lexical: what the disk says about links is for `Workspace.resolve`.
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

/** The directory a path lies in; the root is its own parent. */
export function parentOf(path: WorkspacePath): WorkspacePath {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? rootPath : brandPath(path.slice(0, slash));
}

/** The last segment of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of the entry `name` of `directory`. `name` is one segment, as a directory listing gives it. */
export function childOf(directory: WorkspacePath, name: string): WorkspacePath {
  return brandPath(directory === '' ? name : `${directory}/${name}`);
}

/** Every directory above `path`, nearest first, the root left out. */
export function ancestorsOf(path: WorkspacePath): WorkspacePath[] {
  const ancestors: WorkspacePath[] = [];
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    ancestors.push(brandPath(path.slice(0, slash)));
  }
  return ancestors;
}

/** Whether `path` lies below `directory`; nothing lies below itself. */
export function isBelow(path: WorkspacePath, directory: WorkspacePath): boolean {
  return directory === '' ? path !== '' : path.startsWith(`${directory}/`);
}

/** Where `path`, which is `from` or lies below it, is found once `from` has become `to`. */
export function moveBelow(path: WorkspacePath, from: WorkspacePath, to: WorkspacePath): WorkspacePath {
  return brandPath(to + path.slice(from.length));
}

/** Orders paths by their characters, the same on every machine. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Most paths arrive normalised; one pass over the string spares them the split. */
function isPlain(relative: string): boolean {
  return !/(^|\/)(\.{0,2})(\/|$)|\0/.test(relative);
}

function brandPath(normalised: string): WorkspacePath {
  return normalised as WorkspacePath;
}
