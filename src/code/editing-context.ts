/**
 * The context for editing a file: its symbols, their callers and their callees.
 *
 * Invariant: only symbols visible outside a function are listed, not its local variables.
 */
import type { LanguageId } from '../servers/language.ts';
import { LineIndex } from '../text/position.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { bodyOf } from './body-span.ts';
import { calleesOf, callersOf, type NamedPlace } from './caller.ts';
import { type CodeSyntax, syntaxOf } from './code-syntax.ts';
import { standsInImport } from './import-statement.ts';
import { type Query, shownText } from './query.ts';
import { type CodeSymbol, documentSymbols, flattenSymbols, symbolKindName } from './symbol.ts';
import { definitionSpan } from './symbol-extent.ts';
import { symbolSource } from './symbol-source.ts';

export interface ContextSymbol {
  /** With the names of its containers, joined by dots. */
  readonly name: string;
  readonly kind: string;
  /** Its declaration in the text, without the body. */
  readonly signature: string;
  /** Zero-based; the last line is inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly callers: readonly NamedPlace[];
  /** Undefined if the server cannot tell. */
  readonly callees: readonly NamedPlace[] | undefined;
}

/** Number of concurrent requests. */
const askedAtOnce = 8;

export async function editingContext(
  query: Query,
  { path, language }: { readonly path: WorkspacePath; readonly language: LanguageId },
  signal: AbortSignal,
): Promise<readonly ContextSymbol[]> {
  const text = shownText(query, path) ?? '';
  const index = new LineIndex(text);
  const syntax = syntaxOf(language);
  // Some servers list imports among the declarations of a file.
  const visible = visibleSymbols(await documentSymbols(query, path, signal)).filter(
    ({ symbol }) => !standsInImport(index, symbol.selectionRange.start),
  );
  return mapConcurrently(visible, askedAtOnce, async ({ name, symbol }) => {
    const place = { path, position: symbol.selectionRange.start };
    const isInside = (other: NamedPlace): boolean =>
      other.path === path && other.position.line === place.position.line;
    const { startLine, endLine } = symbolSource(text, symbol);
    return {
      name,
      kind: symbolKindName(symbol.kind),
      signature: signatureOf(index, symbol, syntax),
      startLine,
      endLine,
      callers: (await callersOf(query, place, signal)).filter((caller) => !isInside(caller)),
      callees: isCallable(symbol) ? await calleesOf(query, place, signal) : [],
    };
  });
}

/** The declaration of a symbol without its body or value, on one line. */
function signatureOf(index: LineIndex, symbol: CodeSymbol, syntax: CodeSyntax): string {
  const definition = definitionSpan(index, symbol, syntax);
  const { line } = symbol.selectionRange.start;
  const start = Math.max(definition.start, index.lineStart(line));
  const end = bodyOf(index, symbol, syntax)?.span.start ?? definition.end;
  const declared = index.text.slice(start, end).replace(/\s+/g, ' ');
  const joined = declared.replace(/(?<=[([]) | (?=[)\]])/g, '').replace(/,(?=[)\]])/g, '');
  return joined.trim().replace(/(\s*(\{|=>?|:|[;,]))+$/, '');
}

interface VisibleSymbol {
  readonly name: string;
  readonly symbol: CodeSymbol;
}

/** All symbols except those inside functions. */
function visibleSymbols(symbols: readonly CodeSymbol[]): readonly VisibleSymbol[] {
  const hidden = new Set<CodeSymbol>();
  return flattenSymbols(symbols).flatMap(({ symbol, dottedName, parent }) => {
    if (parent && (hidden.has(parent) || isCallable(parent) || !holdsMembers(parent))) {
      hidden.add(symbol);
      return [];
    }
    return [{ name: dottedName, symbol }];
  });
}

const callableKinds: ReadonlySet<string> = new Set(['Function', 'Method', 'Constructor', 'Operator']);
const memberKinds: ReadonlySet<string> = new Set([
  'File',
  'Module',
  'Namespace',
  'Package',
  'Class',
  'Enum',
  'Interface',
  'Struct',
  'Object',
]);

function isCallable({ kind }: CodeSymbol): boolean {
  return callableKinds.has(symbolKindName(kind));
}

function holdsMembers({ kind }: CodeSymbol): boolean {
  return memberKinds.has(symbolKindName(kind));
}
