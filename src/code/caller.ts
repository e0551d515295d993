/**
 * The callers and users of a symbol, by name.
 *
 * The call hierarchy is exact. If the server has none, or the symbol cannot be called, its references are mapped to
 * their enclosing symbols; an import, which has none, is not a use.
 *
 * Invariant: no symbol is listed twice.
 */
import { ResponseFailed } from '../lsp/server-failure.ts';
import type { Position } from '../text/position.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { callItems, type HierarchyItem, incomingCalls, outgoingCalls } from './hierarchy.ts';
import { type CodeLocation, references } from './location.ts';
import type { Place, Query } from './query.ts';
import { type CodeSymbol, documentSymbols, enclosingSymbol } from './symbol.ts';

/** The caller or the callee of one call. */
export interface NamedPlace {
  readonly name: string;
  readonly uri: string;
  /** Undefined outside the workspace. */
  readonly path: WorkspacePath | undefined;
  /** The position of its name. */
  readonly position: Position;
}

export async function callersOf(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly NamedPlace[]> {
  const items = await calledAt(query, place, signal);
  const calls = await Promise.all(items.map((item) => incomingCalls(query, item, signal)));
  if (calls.length === 0 || calls.includes(undefined)) {
    return usersIn(query, await usesOf(query, place, signal), signal);
  }
  const callers = calls.flatMap((found) => found ?? []);
  return unique(callers.map(({ item }) => ({ ...item, position: item.selectionRange.start })));
}

/** The callees of a function; empty for a symbol that calls nothing, undefined if the server cannot tell. */
export async function calleesOf(
  query: Query,
  place: Place,
  signal: AbortSignal,
): Promise<readonly NamedPlace[] | undefined> {
  const items = await calledAt(query, place, signal);
  const calls = await Promise.all(items.map((item) => outgoingCalls(query, item, signal)));
  if (calls.includes(undefined)) return undefined;
  const called = calls.flatMap((found) => found ?? []);
  return unique(called.map(({ item }) => ({ ...item, position: item.selectionRange.start })));
}

/** The references of a symbol without its declaration. */
export function usesOf(query: Query, place: Place, signal: AbortSignal): Promise<readonly CodeLocation[]> {
  return references(query, place, { includeDeclaration: false }, signal);
}

/** The callable items at a position; some servers reject the request for anything else. */
async function calledAt(query: Query, place: Place, signal: AbortSignal): Promise<readonly HierarchyItem[]> {
  try {
    return await callItems(query, place, signal);
  } catch (thrown) {
    if (thrown instanceof ResponseFailed) return [];
    throw thrown;
  }
}

/** The enclosing symbols of references. */
async function usersIn(
  query: Query,
  uses: readonly CodeLocation[],
  signal: AbortSignal,
): Promise<readonly NamedPlace[]> {
  const outlines = new Map<WorkspacePath, readonly CodeSymbol[]>();
  const users: NamedPlace[] = [];
  for (const { uri, path, range } of uses) {
    if (path === undefined) continue;
    const outline = outlines.get(path) ?? (await outlineOf(query, path, signal));
    outlines.set(path, outline);
    const user = enclosingSymbol(outline, range.start);
    if (user) users.push({ name: user.name, uri, path, position: user.selectionRange.start });
  }
  return unique(users);
}

async function outlineOf(
  query: Query,
  path: WorkspacePath,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[]> {
  await query.lease.open([path]);
  return documentSymbols(query, path, signal);
}

function unique(places: readonly NamedPlace[]): readonly NamedPlace[] {
  const byPlace = new Map<string, NamedPlace>();
  for (const { name, uri, path, position } of places) {
    byPlace.set(`${uri}\0${position.line}:${position.character}`, { name, uri, path, position });
  }
  return [...byPlace.values()];
}
