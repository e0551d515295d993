/**
 * The symbols of a document and of a workspace.
 *
 * Invariant: a symbol's selection range is its name wherever the text contains the name, whatever the server's range.
 */
import { type NamedSymbol, type SymbolNode, symbolsIn, symbolsNamed } from '../lsp/feature/symbol.ts';
import { comparePositions, LineIndex, type Position, type Range } from '../text/position.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { type CodeLocation, codeLocation } from './location.ts';
import { type Query, shownText } from './query.ts';
import { nameRange } from './symbol-name.ts';

/** A named range of a document with its children. */
export type CodeSymbol = SymbolNode;

/** A symbol with its position in the tree. */
export interface FlatSymbol {
  readonly symbol: CodeSymbol;
  /** The names from the outermost inwards, joined by dots. */
  readonly dottedName: string;
  readonly parent: CodeSymbol | undefined;
  readonly depth: number;
}

export type WorkspaceSymbol = Omit<NamedSymbol, 'location'> & { readonly location: CodeLocation };

/** The symbols of an open document as a tree; empty if the server has no outline. */
export async function documentSymbols(
  query: Query,
  path: WorkspacePath,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[]> {
  const symbols = await symbolsIn(query.lease.server, query.lease.uri(path), signal);
  const text = shownText(query, path);
  if (text === undefined) return symbols;
  const index = new LineIndex(text);
  return symbols.map((symbol) => selectingName(symbol, index));
}

/** The symbols of a workspace that match a name by the server's rules; an empty name requests all. */
export async function workspaceSymbols(
  query: Query,
  name: string,
  signal: AbortSignal,
): Promise<readonly WorkspaceSymbol[]> {
  const { server } = query.lease;
  if (!server.capabilities.has('workspaceSymbolProvider')) return [];
  await query.lease.include('everything');
  const found = await symbolsNamed(server, name, signal);
  return found.map((symbol) => ({ ...symbol, location: codeLocation(query, symbol.location) }));
}

/** The innermost symbol whose range contains a position, ends included. */
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

/** Every symbol of a tree, parents before children. */
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

/** LSP's name of a symbol kind; `Kind<N>` for an unknown number. */
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

/** All symbol kinds of LSP. */
export const symbolKindNames: readonly string[] = kindNames;

function selectingName(symbol: CodeSymbol, index: LineIndex): CodeSymbol {
  return {
    ...symbol,
    selectionRange: nameRange(index, symbol),
    children: symbol.children.map((child) => selectingName(child, index)),
  };
}

function holds(range: Range, position: Position): boolean {
  return comparePositions(range.start, position) <= 0 && comparePositions(position, range.end) <= 0;
}
