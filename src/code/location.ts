/**
 * Where a name comes from and where it is used.
 *
 * Invariant: no place is listed twice; references are in the order of files and lines, so that a part of
 * them means the same part every time.
 */
import { canonicalUri } from '../lsp/document-uri.ts';
import { rangeDecoder } from '../lsp/normalise/columns.ts';
import { readLocations, type WireLocation } from '../lsp/normalise/location.ts';
import { compareRanges, type Range } from '../text/range.ts';
import {
  comparePaths,
  parseWorkspacePath,
  rootPath,
  type WorkspacePath,
} from '../workspace/workspace-path.ts';
import { askAt, type Place, type Query } from './query.ts';

export type { Place } from './query.ts';

/** A stretch of a file, in the workspace or outside it. */
export interface CodeLocation {
  readonly uri: string;
  /** Undefined for what lies outside the workspace, such as a library. */
  readonly path: WorkspacePath | undefined;
  readonly range: Range;
}

export type DefinitionKind = 'definition' | 'typeDefinition' | 'implementation' | 'declaration';

export async function definitions(
  query: Query,
  place: Place,
  kind: DefinitionKind,
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  if (kind === 'implementation') await query.dependents?.show(query, place, signal);
  const question = { provider: `${kind}Provider`, method: `textDocument/${kind}` };
  const answer = await askAt(query, place, question, signal);
  return unique(readLocations(answer).map((location) => ownLocation(query, location)));
}

/** Every use of a name; the files that may hold one are shown to the server first. */
export async function references(
  query: Query,
  place: Place,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  await query.dependents?.show(query, place, signal);
  const params = { context: { includeDeclaration } };
  const question = { provider: 'referencesProvider', method: 'textDocument/references', params };
  const answer = await askAt(query, place, question, signal);
  const found = readLocations(answer).map((location) => ownLocation(query, location));
  return unique(found).toSorted((a, b) => comparePaths(a.uri, b.uri) || compareRanges(a.range, b.range));
}

/** A place the server named, in our terms. */
export function ownLocation(query: Query, { uri, range }: WireLocation): CodeLocation {
  const decoded = rangeDecoder(query.lease.server, uri)(range);
  const path = pathOf(query, uri);
  const own = path === undefined ? canonicalUri(uri) : query.workspace.uri(path);
  return { uri: own, path, range: decoded };
}

/** The path of a URI the server gave; a server that runs in a copy of the workspace names files in that copy. */
function pathOf({ lease, workspace }: Query, uri: string): WorkspacePath | undefined {
  const serverRoot = canonicalUri(lease.uri(rootPath));
  const named = canonicalUri(uri);
  const isCopy = serverRoot !== canonicalUri(workspace.uri(rootPath));
  if (!isCopy || !named.startsWith(`${serverRoot}/`)) return workspace.fromUri(uri);
  return parseWorkspacePath(decodeURIComponent(named.slice(serverRoot.length + 1)));
}

function unique(locations: readonly CodeLocation[]): readonly CodeLocation[] {
  const byPlace = new Map<string, CodeLocation>();
  for (const location of locations) {
    const { start, end } = location.range;
    const key = `${location.uri}\0${start.line}:${start.character}-${end.line}:${end.character}`;
    if (!byPlace.has(key)) byPlace.set(key, location);
  }
  return [...byPlace.values()];
}
