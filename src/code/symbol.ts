/**
 * The named parts of a document, and the names known in a workspace.
 *
 * Invariant: a symbol's selection is its name wherever the text shows the name, whatever the server points at.
 */
import { rangeDecoder } from '../lsp/columns.ts';
import { readDocumentSymbols, readWorkspaceSymbols, type SymbolNode } from '../lsp/feature/symbol.ts';
import { LineIndex } from '../text/line-index.ts';
import { comparePositions, type Position } from '../text/position.ts';
import type { Range } from '../text/range.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { type CodeLocation, ownLocation } from './location.ts';
import { type Query, shownText } from './query.ts';
import { nameRange } from './symbol-name.ts';

/** A named stretch of a document with what lies inside it. */
export type CodeSymbol = SymbolNode;

/** A symbol of a tree with where it stands in it. */
export interface FlatSymbol {
  readonly symbol: CodeSymbol;
  /** The names from the outermost on, joined by dots. */
  readonly dottedName: string;
  readonly parent: CodeSymbol | undefined;
  readonly depth: number;
}

export interface WorkspaceSymbol {
  readonly name: string;
  readonly kind: number;
  readonly tags?: readonly unknown[];
  readonly deprecated?: boolean;
  readonly containerName?: string;
  readonly location: CodeLocation;
  /** The symbol as its server gave it. */
  readonly raw: unknown;
}

/** The symbols of an open document as a tree; none where the server has no outline to give. */
export async function documentSymbols(
  query: Query,
  path: WorkspacePath,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[]> {
  const { lease } = query;
  if (!lease.server.capabilities.has('documentSymbolProvider')) return [];
  const uri = lease.uri(path);
  const params = { textDocument: { uri } };
  const answer = await lease.server.request('textDocument/documentSymbol', params, {}, signal);
  const decode = rangeDecoder(lease.server, uri);
  const text = shownText(query, path);
  const index = text === undefined ? undefined : new LineIndex(text);
  return readDocumentSymbols(answer).map((symbol) => ownSymbol(symbol, decode, index));
}

/** The symbols of a workspace that match a name by the server's own rules; an empty name asks for all. */
export async function workspaceSymbols(
  query: Query,
  name: string,
  signal: AbortSignal,
): Promise<readonly WorkspaceSymbol[]> {
  const { server } = query.lease;
  if (!server.capabilities.has('workspaceSymbolProvider')) return [];
  await query.lease.include('everything');
  const answer = await server.request('workspace/symbol', { query: name }, {}, signal);
  return readWorkspaceSymbols(answer).map((symbol) => ({
    ...symbol,
    location: ownLocation(query, symbol.location),
  }));
}

/** The innermost symbol whose range holds a position, its ends included. */
export function enclosingSymbol(symbols: readonly CodeSymbol[], position: Position): CodeSymbol | undefined {
  let found: CodeSymbol | undefined;
  for (const { symbol } of flattenSymbols(symbols)) {
    if (!holds(symbol.range, position)) continue;
    if (!found || (holds(found.range, symbol.range.start) && holds(found.range, symbol.range.end))) {
      found = symbol;
    }
  }
  return found;
}

/** Every symbol of a tree, each before those inside it. */
export function flattenSymbols(symbols: readonly CodeSymbol[]): readonly FlatSymbol[] {
  const found: FlatSymbol[] = [];
  const visit = (level: readonly CodeSymbol[], outer: FlatSymbol | undefined): void => {
    for (const symbol of level) {
      const dottedName = outer ? `${outer.dottedName}.${symbol.name}` : symbol.name;
      const flat = { symbol, dottedName, parent: outer?.symbol, depth: outer ? outer.depth + 1 : 0 };
      found.push(flat);
      visit(symbol.children, flat);
    }
  };
  visit(symbols, undefined);
  return found;
}

/** The protocol's name of a kind of symbol; `Kind<N>` for a number it does not name. */
export function symbolKindName(kind: number): string {
  return kindNames[kind - 1] ?? `Kind${kind}`;
}

const kindNames = [
  'File',
  'Module',
  'Namespace',
  'Package',
  'Class',
  'Method',
  'Property',
  'Field',
  'Constructor',
  'Enum',
  'Interface',
  'Function',
  'Variable',
  'Constant',
  'String',
  'Number',
  'Boolean',
  'Array',
  'Object',
  'Key',
  'Null',
  'EnumMember',
  'Struct',
  'Event',
  'Operator',
  'TypeParameter',
] as const;

/** Every kind the protocol names. */
export const symbolKindNames: readonly string[] = kindNames;

function ownSymbol(
  symbol: CodeSymbol,
  decode: (range: Range) => Range,
  index: LineIndex | undefined,
): CodeSymbol {
  const range = decode(symbol.range);
  const selectionRange = decode(symbol.selectionRange);
  return {
    ...symbol,
    range,
    selectionRange: index ? nameRange(index, { ...symbol, range, selectionRange }) : selectionRange,
    children: symbol.children.map((child) => ownSymbol(child, decode, index)),
  };
}

function holds(range: Range, position: Position): boolean {
  return comparePositions(range.start, position) <= 0 && comparePositions(position, range.end) <= 0;
}
