/**
 * Whether a symbol, or the type it belongs to, uses synchronisation.
 *
 * Invariant: judged by the words of its text; it is a hint, not a proof.
 */
import { LineIndex } from '../text/position.ts';
import { type CodeSymbol, symbolKindName } from './symbol.ts';
import type { DeclaredSymbol } from './visibility.ts';

const synchronisation = /Mutex|Lock\b|Semaphore|\batomic\b|Atomic|\bsync\.|pthread_mutex|std::mutex/;

export function isSyncGuarded(
  text: string,
  { symbol, ancestors }: DeclaredSymbol,
  outline: readonly CodeSymbol[],
): boolean {
  const index = new LineIndex(text);
  const owner = ancestors.find(isType) ?? receiverOf(symbol, outline);
  return [symbol, ...(owner ? [owner] : [])].some((each) => synchronisation.test(linesOf(index, each)));
}

function isType(symbol: CodeSymbol): boolean {
  return ['Class', 'Struct', 'Interface', 'Object'].includes(symbolKindName(symbol.kind));
}

/** Go declares methods outside their type: `(*Counter).Add` belongs to `Counter`. */
function receiverOf(symbol: CodeSymbol, outline: readonly CodeSymbol[]): CodeSymbol | undefined {
  const receiver = /^\(?\*?([\w.]+?)(?:\[.*\])?\)?\.\w+$/.exec(symbol.name)?.[1];
  return receiver === undefined ? undefined : outline.find((each) => each.name === receiver);
}

function linesOf(index: LineIndex, { range }: CodeSymbol): string {
  const last = Math.min(range.end.line, index.lineCount - 1);
  const first = Math.min(range.start.line, last);
  return index.text.slice(index.lineStart(first), index.lineEnd(last));
}
