/**
 * The two sources of an impact: the cache alone, and a server for everything that is not cached.
 *
 * Invariant: both give the same answers; the first gives none rather than a different one.
 */
import { LineIndex } from '../text/position.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CachedReferences, UsedPlace } from './cached-references.ts';
import { type ImpactSource, NotKnown } from './impact.ts';
import { type CodeLocation, references } from './location.ts';
import { OutlineCache, type OutlinedFile } from './outline-cache.ts';
import { type Place, type Query, shownText } from './query.ts';

const options = { includeDeclaration: false } as const;

/** `textOf` returns the text of a file on disk. */
export function knownSource(
  known: CachedReferences,
  textOf: (path: WorkspacePath) => Promise<string | undefined>,
): ImpactSource {
  const files = new Map<WorkspacePath, Promise<OutlinedFile>>();
  const outlined = async (path: WorkspacePath): Promise<OutlinedFile> => {
    const outline = known.outline(path);
    const text = outline && (await textOf(path));
    if (outline === undefined || text === undefined) throw new NotKnown(path);
    return { path, text, index: new LineIndex(text), outline };
  };
  const fileAt = (path: WorkspacePath): Promise<OutlinedFile> => {
    const file = files.get(path) ?? outlined(path);
    files.set(path, file);
    return file;
  };
  return {
    outlined: fileAt,
    show: async () => {},
    open: async () => {},
    async uses(place) {
      const found = known.references({ ...place, index: (await fileAt(place.path)).index }, options);
      if (!found) throw new NotKnown(place.path);
      return found.locations;
    },
  };
}

export function liveSource(
  query: Query,
  known: CachedReferences | undefined,
  signal: AbortSignal,
): ImpactSource {
  const { lease, workspace, dependents } = query;
  const outlines = new OutlineCache(query, known, signal);
  const indexes = new Map<WorkspacePath, LineIndex>();
  const placed = ({ path, position }: Place): UsedPlace => {
    const index = indexes.get(path) ?? new LineIndex(shownText(query, path) ?? '');
    indexes.set(path, index);
    return { path, position, index };
  };
  const declared = new Map<string, readonly CodeLocation[] | undefined>();
  return {
    outlined: (path) => outlines.of(path),
    async show(places, within) {
      if (!dependents) return;
      for (const place of places) {
        if (known?.references(placed(place), options)) continue;
        await within(place, async (limit) => {
          declared.set(keyOf(place), await dependents.show(query, place, limit));
        });
      }
    },
    open: (paths) => lease.open(paths),
    async uses(place, limit) {
      const found = known?.references(placed(place), options);
      if (found) return found.locations;
      const declarations = declared.get(keyOf(place));
      const locations = await references({ lease, workspace }, place, { ...options, declarations }, limit);
      known?.noteReferences(placed(place), options, locations);
      return locations;
    },
  };
}

function keyOf({ path, position: { line, character } }: Place): string {
  return `${path}\0${line}:${character}`;
}
