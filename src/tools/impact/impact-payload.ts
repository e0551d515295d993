/**
 * An Impact in tool answers: paths, one-based lines, and the same lists by symbol and in total.
 *
 * Invariant: a use of a symbol is in that symbol's own list, even if it is in another symbol's list too.
 */
import type { SymbolImpact, SymbolUse } from '../../code/impact.ts';
import { fileOf } from '../formatted-location.ts';
import type { MeasuredImpact } from './impact-run.ts';

interface SymbolRef {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** A use of the symbol `name`; `caller` is the enclosing symbol. */
interface CallSite extends SymbolRef {
  readonly caller?: string;
}

export interface AffectedSymbol extends SymbolRef {
  readonly test_callers: readonly SymbolRef[];
  readonly non_test_callers: readonly CallSite[];
  readonly sync_guarded?: true;
}

export interface ImpactPayload {
  readonly changed_symbols: readonly SymbolRef[];
  readonly affected_symbols: readonly AffectedSymbol[];
  readonly test_files: readonly string[];
  readonly test_functions: readonly SymbolRef[];
  readonly non_test_callers: readonly CallSite[];
  readonly transitive_callers?: readonly CallSite[];
  readonly summary: string;
  readonly warnings: readonly string[];
  readonly indexed: boolean;
}

export function impactPayload(
  { parts, warnings }: MeasuredImpact,
  { reach, filter }: { readonly reach: 'direct' | 'transitive'; readonly filter?: 'untested' | undefined },
): ImpactPayload {
  const affected = parts.flatMap(({ symbols, view }) =>
    symbols.map((symbol) => affectedSymbol(view.workspace.absolute(symbol.path), symbol)),
  );
  const direct = parts.flatMap(({ symbols }) => symbols);
  const beyond = parts.flatMap(({ transitive }) => transitive);
  const tests = testUses([...direct, ...beyond]);
  const files = unique(tests.map(fileOfUse), (file) => file);
  const references = testUses(direct).length;
  return {
    changed_symbols: affected.map(({ name, file, line }) => ({ name, file, line })),
    affected_symbols: filter === 'untested' ? affected.filter(isUntested) : affected,
    test_files: files,
    test_functions: testFunctions(tests),
    non_test_callers: affected.flatMap((symbol) => symbol.non_test_callers),
    ...(reach === 'transitive' && { transitive_callers: beyond.flatMap(callSites) }),
    summary: `Found ${affected.length} changed symbols with ${references} test references across ${files.length} test files.`,
    warnings,
    indexed: parts.every((part) => part.indexed),
  };
}

function affectedSymbol(file: string, symbol: SymbolImpact): AffectedSymbol {
  return {
    name: symbol.name,
    file,
    line: symbol.position.line + 1,
    test_callers: testFunctions(testUses([symbol])),
    non_test_callers: callSites(symbol),
    ...(symbol.isSyncGuarded && { sync_guarded: true as const }),
  };
}

function isUntested({ test_callers, non_test_callers }: AffectedSymbol): boolean {
  return non_test_callers.length > 0 && test_callers.length === 0;
}

function testUses(symbols: readonly SymbolImpact[]): readonly SymbolUse[] {
  return symbols.flatMap(({ uses }) => uses.filter((use) => use.isTest));
}

/** The functions that contain the tests; a use at the top level of a test file stands for the file. */
function testFunctions(uses: readonly SymbolUse[]): readonly SymbolRef[] {
  const found = uses.map((use): SymbolRef => {
    const file = fileOfUse(use);
    const { caller } = use;
    if (caller) return { name: caller.name, file, line: caller.selectionRange.start.line + 1 };
    return { name: file.slice(file.lastIndexOf('/') + 1), file, line: use.location.range.start.line + 1 };
  });
  return unique(found, ({ name, file }) => `${file}\0${name}`);
}

function callSites(symbol: SymbolImpact): readonly CallSite[] {
  const sites = symbol.uses.filter((use) => !use.isTest);
  return sites.map((use) => ({
    name: symbol.name,
    file: fileOfUse(use),
    line: use.location.range.start.line + 1,
    ...(use.caller && { caller: use.caller.name }),
  }));
}

function fileOfUse({ location }: SymbolUse): string {
  return fileOf(location.uri);
}

function unique<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  const found = new Map<string, T>();
  for (const item of items) {
    if (!found.has(key(item))) found.set(key(item), item);
  }
  return [...found.values()];
}
