/**
 * What of the machine exists inside a confined root, and how.
 *
 * Invariant: every place is an absolute path without `.` or `..`; a path that no place covers does not exist inside.
 */
import { dirname } from 'node:path';

export type SandboxPlace =
  /** A directory only the administrator writes: bound read-only with the mounts below it. */
  | { readonly kind: 'system'; readonly path: string }
  /**
   * A directory of the host, read-only, through an overlay filesystem: a socket or pipe of the host in it is a
   * different inode there, so nothing listens on it.
   */
  | { readonly kind: 'shown'; readonly path: string; readonly source: string }
  /** As `shown`, but writable: what is written is kept in memory. */
  | { readonly kind: 'layered'; readonly path: string; readonly source: string }
  /** An empty directory that can be written, in memory. */
  | { readonly kind: 'private'; readonly path: string }
  /** A directory of the host, bound read-write: a cache of our own. */
  | { readonly kind: 'writable'; readonly path: string }
  /** A regular file of the host, read-only. */
  | { readonly kind: 'file'; readonly path: string; readonly source: string }
  /** A small file with the given text. */
  | { readonly kind: 'text'; readonly path: string; readonly text: string }
  | { readonly kind: 'workspace'; readonly path: string };

/**
 * The places in the order in which they are mounted: a directory before what lies in it. Of several places at one path
 * the first of the list is kept; a place that its parent place already shows in the same way is dropped.
 */
export function arrangedPlaces(places: readonly SandboxPlace[]): readonly SandboxPlace[] {
  const first = new Map<string, SandboxPlace>();
  for (const place of places) if (!first.has(place.path)) first.set(place.path, place);
  const sorted = [...first.values()].sort((a, b) => compare(a.path, b.path));
  return sorted.filter((place) => !isCovered(place, placeAbove(sorted, place.path)));
}

/** The innermost place that lies strictly above a path. */
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
    // The workspace holds its own files, whatever else they are.
    case 'workspace':
    case 'writable':
    case 'text':
    case 'file':
      return true;
    case 'system':
    case 'shown':
      // Nothing can be created in it; what is there is shown already.
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
