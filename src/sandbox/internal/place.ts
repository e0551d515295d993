/**
 * The paths inside a confined root and their origins.
 *
 * Invariant: every place is an absolute path without `.` or `..`; a path that no place covers does not exist inside.
 */
import { dirname } from 'node:path';

export type SandboxPlace =
  /** A directory that only the administrator can write: bound read-only with its submounts. */
  | { readonly kind: 'system'; readonly path: string }
  /**
   * A read-only directory of the host, through an overlay filesystem: a socket or pipe in it is a different inode
   * there, so nothing listens on it.
   */
  | { readonly kind: 'shown'; readonly path: string; readonly source: string }
  /** Like `shown`, but writable in memory. */
  | { readonly kind: 'layered'; readonly path: string; readonly source: string }
  /** An empty writable directory in memory. */
  | { readonly kind: 'private'; readonly path: string }
  /** A directory of the host, bound read-write: one of our caches. */
  | { readonly kind: 'writable'; readonly path: string }
  /** A read-only regular file of the host. */
  | { readonly kind: 'file'; readonly path: string; readonly source: string }
  /** A small file with the given text. */
  | { readonly kind: 'text'; readonly path: string; readonly text: string }
  | { readonly kind: 'workspace'; readonly path: string };

/**
 * The places in mount order: a directory before its contents. Of several places at one path the first is kept; a
 * place that its parent already shows in the same way is dropped.
 */
export function arrangedPlaces(places: readonly SandboxPlace[]): readonly SandboxPlace[] {
  const first = new Map<string, SandboxPlace>();
  for (const place of places) if (!first.has(place.path)) first.set(place.path, place);
  const sorted = [...first.values()].sort((a, b) => compare(a.path, b.path));
  return sorted.filter((place) => !isCovered(place, placeAbove(sorted, place.path)));
}

/** The innermost place strictly above a path. */
export function placeAbove(places: readonly SandboxPlace[], path: string): SandboxPlace | undefined {
  const byPath = new Map(places.map((place) => [place.path, place]));
  for (let directory = dirname(path); directory !== '/'; directory = dirname(directory)) {
    const place = byPath.get(directory);
    if (place !== undefined) return place;
  }
  return undefined;
}

export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

function isCovered(place: SandboxPlace, above: SandboxPlace | undefined): boolean {
  if (above === undefined || place.kind === 'workspace' || place.kind === 'writable') return false;
  switch (above.kind) {
    // The workspace always shows its own files.
    case 'workspace':
    case 'writable':
    case 'text':
    case 'file':
      return true;
    case 'system':
    case 'shown':
      // Nothing can be created in it; existing files are already shown.
      return place.kind !== 'layered';
    case 'layered':
      return true;
    case 'private':
      return false;
  }
}

function compare(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const [one = '', two = ''] = [left[at], right[at]];
    if (one !== two) return one < two ? -1 : 1;
  }
  return left.length - right.length;
}
