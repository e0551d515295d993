/**
 * Completions, which a server may send as a list with a flag or as bare items.
 *
 * Invariant: items pass as they came; bare items are a complete list.
 */
import { isRecord, itemsOf } from '../internal/json.ts';

export interface CompletionList {
  readonly isIncomplete: boolean;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

export function readCompletions(answer: unknown): CompletionList {
  const list = isRecord(answer) ? answer : { items: answer };
  return { isIncomplete: list.isIncomplete === true, items: itemsOf(list.items).filter(isRecord) };
}
