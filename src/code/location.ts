/**
 * Declarations and references of a name.
 *
 * Invariant: no location is listed twice; references are ordered by file and line, so that pages of them are stable.
 */

import { canonicalUri } from '../lsp/document.ts';
import type { DocumentRange } from '../lsp/document-position.ts';
import { type DefinitionKind, definitionsAt } from '../lsp/feature/definition.ts';
import { referencesAt } from '../lsp/feature/reference.ts';
import { compareRanges } from '../text/position.ts';
import {
  comparePaths,
  parseWorkspacePath,
  rootPath,
  type WorkspacePath,
} from '../workspace/workspace-path.ts';
import type { CodeLocation } from './code-location.ts';
import { type Place, positionOn, type Query } from './query.ts';

export type { CodeLocation } from './code-location.ts';
export type { Place } from './query.ts';

export async function definitions(
  query: Query,
  place: Place,
  kind: DefinitionKind,
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  if (kind === 'implementation') await query.dependents?.show(query, place, signal);
  const found = await definitionsAt(query.lease.server, kind, positionOn(query, place), signal);
  return unique(found.map((location) => codeLocation(query, location)));
}

/** The definition and declaration of a name; two locations in languages that distinguish them. */
export async function declarationLocations(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  const found = await Promise.all([
    definitions(query, place, 'definition', signal),
    definitions(query, place, 'declaration', signal),
  ]);
  return found.flat();
}

interface ReferenceOptions {
  readonly includeDeclaration: boolean;
  /** The declarations of the name; absent: they are requested if needed. */
  readonly declarations?: readonly CodeLocation[] | undefined;
}

/** Every use of a name, including imports and re-exports; files that may contain one are opened first. */
export async function references(
  query: Query,
  place: Place,
  { includeDeclaration, declarations }: ReferenceOptions,
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  if (!includeDeclaration && query.lease.takesImportsForDeclarations) {
    return mentions(query, place, { declarations }, signal);
  }
  await query.dependents?.show(query, place, signal);
  return search(query, place, { includeDeclaration }, signal);
}

/**
 * Every mention of a symbol except its declarations. The server is asked for all references at once: other locations
 * that it counts as declarations (imports, overrides) break with the symbol like any use.
 */
export async function mentions(
  query: Query,
  place: Place,
  { declarations }: Pick<ReferenceOptions, 'declarations'>,
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  const shown = await query.dependents?.show(query, place, signal);
  const [found, declared] = await Promise.all([
    search(query, place, { includeDeclaration: true }, signal),
    declarations ?? shown ?? declarationLocations(query, place, signal),
  ]);
  const taken = new Set(declared.map(startKey));
  return found.filter((each) => !taken.has(startKey(each)));
}

async function search(
  query: Query,
  place: Place,
  context: { readonly includeDeclaration: boolean },
  signal: AbortSignal,
): Promise<readonly CodeLocation[]> {
  const found = await referencesAt(query.lease.server, positionOn(query, place), context, signal);
  const located = found.map((location) => codeLocation(query, location));
  return unique(located).toSorted((a, b) => comparePaths(a.uri, b.uri) || compareRanges(a.range, b.range));
}

/** A location of the leased server, with its path in the workspace. */
export function codeLocation(query: Query, { uri, range }: DocumentRange): CodeLocation {
  const path = pathOf(query, uri);
  const own = path === undefined ? canonicalUri(uri) : query.workspace.uri(path);
  return { uri: own, path, range };
}

/** The path of a server's URI; a server that runs in a copy of the workspace names files of that copy. */
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
    const { end } = location.range;
    const key = `${startKey(location)}-${end.line}:${end.character}`;
    if (!byPlace.has(key)) byPlace.set(key, location);
  }
  return [...byPlace.values()];
}

function startKey({ uri, range: { start } }: CodeLocation): string {
  return `${uri}\0${start.line}:${start.character}`;
}
