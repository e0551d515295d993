/**
 * Diagnostics gathered under the symbols they stand in.
 *
 * Invariant: every diagnostic is listed exactly once, under the smallest symbol whose lines hold its start.
 */
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import type { Lease } from '../../servers/lease.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { isRecord } from '../internal/record.ts';
import { wireDiagnostic } from '../wire-diagnostic.ts';

/** A symbol by its dotted name and the lines it covers, zero-based and inclusive. */
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

/** The symbols of a document, flattened; none where the server has no outline to give. */
export async function documentSymbols(
  lease: Lease,
  path: WorkspacePath,
  signal: AbortSignal,
): Promise<readonly SymbolLines[]> {
  if (!lease.server.capabilities.has('documentSymbolProvider')) return [];
  const params = { textDocument: { uri: lease.uri(path) } };
  return flatten(await lease.server.request('textDocument/documentSymbol', params, {}, signal), '');
}

function smallestAround(symbols: readonly SymbolLines[], line: number): SymbolLines | undefined {
  let best: SymbolLines | undefined;
  for (const symbol of symbols) {
    if (line < symbol.startLine || line > symbol.endLine) continue;
    if (!best || symbol.endLine - symbol.startLine <= best.endLine - best.startLine) best = symbol;
  }
  return best;
}

/** Reads both shapes a server may answer in: a tree with ranges, or a flat list with locations. */
function flatten(answer: unknown, outer: string): readonly SymbolLines[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((symbol: unknown) => {
    if (!isRecord(symbol) || typeof symbol.name !== 'string') return [];
    const range = linesOf(isRecord(symbol.location) ? symbol.location.range : symbol.range);
    const container = typeof symbol.containerName === 'string' ? symbol.containerName : outer;
    const name = container === '' ? symbol.name : `${container}.${symbol.name}`;
    const children = flatten(symbol.children, name);
    return range ? [{ name, kind: kindName(symbol.kind), ...range }, ...children] : children;
  });
}

function linesOf(range: unknown): { readonly startLine: number; readonly endLine: number } | undefined {
  if (!isRecord(range) || !isRecord(range.start) || !isRecord(range.end)) return undefined;
  const [startLine, endLine] = [range.start.line, range.end.line];
  return typeof startLine === 'number' && typeof endLine === 'number' ? { startLine, endLine } : undefined;
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
];

function kindName(kind: unknown): string {
  return typeof kind === 'number' ? (kindNames[kind - 1] ?? `Kind${kind}`) : 'Kind0';
}
