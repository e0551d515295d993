/**
 * Symbols of a document, which come as a tree or as a flat list, and of a whole workspace.
 *
 * Invariant: every symbol with a location is kept; if its container is not found, it is at the top level.
 */

import { isRecord, itemsOf } from '../../base/record.ts';
import { comparePositions, type Range } from '../../text/position.ts';
import { rangeDecoder } from '../document.ts';
import type { DocumentRange } from '../document-position.ts';
import { readRange } from '../internal/wire-range.ts';
import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';
import { ownLocation, readLocations } from './location.ts';

/** A named range of a document with the symbols inside it. */
export interface SymbolNode {
  readonly name: string;
  readonly detail?: string;
  readonly kind: number;
  readonly tags?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly range: Range;
  /** The range of its name. */
  readonly selectionRange: Range;
  readonly children: readonly SymbolNode[];
}

/** A symbol found by name. */
export interface NamedSymbol {
  readonly name: string;
  readonly kind: number;
  readonly tags?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly containerName?: string;
  readonly location: DocumentRange;
  /** The symbol as its server sent it. */
  readonly raw: unknown;
}

/** The symbols of a document as a tree; empty if the server sends no outline. */
export async function symbolsIn(
  server: LanguageServer,
  uri: string,
  signal: AbortSignal,
): Promise<readonly SymbolNode[]> {
  if (!server.capabilities.has('documentSymbolProvider')) return [];
  const answer = await request(server, 'textDocument/documentSymbol', { textDocument: { uri } }, signal);
  const decode = rangeDecoder(server, uri);
  return readDocumentSymbols(answer).map((symbol) => ownSymbol(symbol, decode));
}

/** The symbols of the workspace that match a name by the server's own rules; an empty name requests all. */
export async function symbolsNamed(
  server: LanguageServer,
  name: string,
  signal: AbortSignal,
): Promise<readonly NamedSymbol[]> {
  if (!server.capabilities.has('workspaceSymbolProvider')) return [];
  const answer = await request(server, 'workspace/symbol', { query: name }, signal);
  return readWorkspaceSymbols(answer).map((symbol) => ({
    ...symbol,
    location: ownLocation(server, symbol.location),
  }));
}

function ownSymbol(symbol: SymbolNode, decode: (range: Range) => Range): SymbolNode {
  return {
    ...symbol,
    range: decode(symbol.range),
    selectionRange: decode(symbol.selectionRange),
    children: symbol.children.map((child) => ownSymbol(child, decode)),
  };
}

export function readDocumentSymbols(answer: unknown): readonly SymbolNode[] {
  const items = itemsOf(answer).filter(isRecord);
  const isFlat = items.some((item) => isRecord(item.location));
  return isFlat ? grow(items.flatMap((item) => readEntry(item) ?? [])) : items.flatMap(readTree);
}

export function readWorkspaceSymbols(answer: unknown): readonly NamedSymbol[] {
  return itemsOf(answer).flatMap((raw) => {
    const entry = isRecord(raw) ? readEntry(raw) : undefined;
    if (!entry) return [];
    const { range: _range, selectionRange: _selectionRange, children: _children, ...named } = entry.symbol;
    const { container, location } = entry;
    return [{ ...named, ...(container !== '' && { containerName: container }), location, raw }];
  });
}

type Item = Readonly<Record<string, unknown>>;

function readTree(item: Item): readonly SymbolNode[] {
  const children = itemsOf(item.children).filter(isRecord).flatMap(readTree);
  const range = readRange(item.range) ?? readRange(item.selectionRange);
  if (typeof item.name !== 'string' || !range) return children;
  return [{ ...named(item), range, selectionRange: readRange(item.selectionRange) ?? range, children }];
}

/** A symbol of a flat list with the name of its container, empty for none. */
interface Entry {
  readonly symbol: SymbolNode;
  readonly container: string;
  readonly location: DocumentRange;
}

function readEntry(item: Item): Entry | undefined {
  const at = isRecord(item.location) ? item.location : undefined;
  const [known] = readLocations(at);
  // A server may omit the range; then the top of the file is used.
  const location = known ?? (typeof at?.uri === 'string' ? { uri: at.uri, range: top } : undefined);
  if (typeof item.name !== 'string' || !location) return undefined;
  const container = typeof item.containerName === 'string' ? item.containerName : '';
  const symbol = {
    ...named(item),
    range: location.range,
    selectionRange: location.range,
    children: [],
  };
  return { symbol, container, location };
}

const start = { line: 0, character: 0 };
const top: Range = { start, end: start };

function named(item: Item): Omit<SymbolNode, 'range' | 'selectionRange' | 'children'> {
  const { name, detail, kind, tags, deprecated } = item;
  return {
    name: String(name),
    ...(typeof detail === 'string' && { detail }),
    kind: typeof kind === 'number' ? kind : 0,
    ...(Array.isArray(tags) && { tags }),
    ...(typeof deprecated === 'boolean' && { deprecated }),
  };
}

/** Makes every entry of a flat list a child of the entry with its container's name. */
function grow(entries: readonly Entry[]): readonly SymbolNode[] {
  const inside = new Map<Entry | undefined, Entry[]>();
  for (const entry of entries) {
    const owner = ownerOf(entry, entries);
    inside.set(owner, [...(inside.get(owner) ?? []), entry]);
  }
  const build = (owner: Entry | undefined): readonly SymbolNode[] =>
    (inside.get(owner) ?? []).map((entry) => ({ ...entry.symbol, children: build(entry) }));
  return build(undefined);
}

/**
 * The smallest entry with the container's name that encloses this one. Some servers send the range of the name only,
 * which encloses nothing; then the nearest one before it is used.
 */
function ownerOf(entry: Entry, entries: readonly Entry[]): Entry | undefined {
  if (entry.container === '') return undefined;
  const last = entry.container.split(/\.|::|#|\//).at(-1);
  const { range } = entry.symbol;
  let around: Entry | undefined;
  let before: Entry | undefined;
  for (const other of entries) {
    const { name, range: otherRange } = other.symbol;
    if (name !== entry.container && name !== last) continue;
    if (isWithin(range, otherRange)) around = smaller(around, other);
    else if (comparePositions(otherRange.start, range.start) < 0) before = later(before, other);
  }
  return around ?? before;
}

function smaller(known: Entry | undefined, other: Entry): Entry {
  return !known || isWithin(other.symbol.range, known.symbol.range) ? other : known;
}

function later(known: Entry | undefined, other: Entry): Entry {
  if (!known) return other;
  return comparePositions(known.symbol.range.start, other.symbol.range.start) < 0 ? other : known;
}

/** Strictly smaller, so that two entries of one range never enclose each other. */
function isWithin(inner: Range, outer: Range): boolean {
  const starts = comparePositions(outer.start, inner.start);
  const ends = comparePositions(inner.end, outer.end);
  return starts <= 0 && ends <= 0 && (starts < 0 || ends < 0);
}
