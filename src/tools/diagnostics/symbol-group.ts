/**
 * Groups diagnostics by enclosing symbol.
 *
 * Invariant: every diagnostic is listed exactly once, under the smallest symbol whose lines contain its start.
 */
import { type CodeSymbol, flattenSymbols, symbolKindName } from '../../code/symbol.ts';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import { wireDiagnostic } from '../wire-diagnostic.ts';

/** A symbol with its dotted name and its lines, zero-based and inclusive. */
export interface SymbolLines {
  readonly name: string;
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
}

export function groupBySymbol(
  symbols: readonly SymbolLines[],
  diagnostics: readonly Diagnostic[],
): Readonly<Record<string, unknown>> {
  const groups = new Map<SymbolLines, Diagnostic[]>();
  const ungrouped: Diagnostic[] = [];
  for (const diagnostic of diagnostics) {
    const owner = smallestAround(symbols, diagnostic.range.start.line);
    if (owner) groups.set(owner, [...(groups.get(owner) ?? []), diagnostic]);
    else ungrouped.push(diagnostic);
  }
  const ordered = [...groups].sort(([a], [b]) => a.startLine - b.startLine);
  return {
    symbols: ordered.map(([symbol, group]) => ({
      name: symbol.name,
      kind: symbol.kind,
      line: symbol.startLine + 1,
      diagnostics: group.map(wireDiagnostic),
    })),
    ungrouped: ungrouped.map(wireDiagnostic),
  };
}

/** The symbols of a document with their lines. */
export function symbolLines(symbols: readonly CodeSymbol[]): readonly SymbolLines[] {
  return flattenSymbols(symbols).map(({ symbol, dottedName }) => ({
    name: dottedName,
    kind: symbolKindName(symbol.kind),
    startLine: symbol.range.start.line,
    endLine: symbol.range.end.line,
  }));
}

function smallestAround(symbols: readonly SymbolLines[], line: number): SymbolLines | undefined {
  let best: SymbolLines | undefined;
  for (const symbol of symbols) {
    if (line < symbol.startLine || line > symbol.endLine) continue;
    if (!best || symbol.endLine - symbol.startLine <= best.endLine - best.startLine) best = symbol;
  }
  return best;
}
