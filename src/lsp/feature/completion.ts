/**
 * Completions at a position.
 *
 * Invariant: items are returned as the server sent them; a shortened list is marked as incomplete.
 */

import { isRecord, itemsOf } from '../../base/record.ts';
import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';

export interface CompletionList {
  readonly isIncomplete: boolean;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Empty if the server has no completions. */
export async function completions(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<CompletionList> {
  const question = {
    provider: 'completionProvider',
    method: 'textDocument/completion',
    extras: { context: { triggerKind: invoked } },
  } as const;
  return readCompletions(await requestAt(server, question, at, signal));
}

const invoked = 1;

/** A server sends a list with its flag, or bare items, which are a complete list. */
export function readCompletions(answer: unknown): CompletionList {
  const list = isRecord(answer) ? answer : { items: answer };
  return { isIncomplete: list.isIncomplete === true, items: itemsOf(list.items).filter(isRecord) };
}

/**
 * The `limit` best items for the word before the cursor. Filtering is left to the client: items that continue the
 * word come first, then in the server's order.
 */
export function bestCompletions(list: CompletionList, begun: string, limit: number): CompletionList {
  if (list.items.length <= limit) return list;
  const ranked = list.items.map((item) => ({
    item,
    misses: distance(textOf(item, 'filterText'), begun),
    sort: textOf(item, 'sortText'),
  }));
  ranked.sort((a, b) => a.misses - b.misses || (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : 0));
  return { isIncomplete: true, items: ranked.slice(0, limit).map(({ item }) => item) };
}

/** 0 if the text continues the word, 1 if it does apart from case, 2 otherwise. */
function distance(text: string, begun: string): number {
  if (text.startsWith(begun)) return 0;
  return text.toLowerCase().startsWith(begun.toLowerCase()) ? 1 : 2;
}

/** A member of an item that defaults to its label. */
function textOf(item: Readonly<Record<string, unknown>>, member: 'filterText' | 'sortText'): string {
  const value = item[member] ?? item.label;
  return typeof value === 'string' ? value : '';
}
