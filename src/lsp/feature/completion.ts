/**
 * What could be written at a position.
 *
 * Invariant: items pass as the server wrote them; a list that was cut says that it is incomplete.
 */

import { isRecord } from '../../base/record.ts';
import type { DocumentPosition } from '../document-position.ts';
import { itemsOf } from '../internal/json.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';

export interface CompletionList {
  readonly isIncomplete: boolean;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Empty where the server completes nothing. */
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
 * The `limit` best items for the word begun before the cursor. Servers leave the choosing to the client: those
 * that continue the word come first, then as the server ranks them.
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

/** How far a text is from continuing a word: as it is written, but for its case, or not at all. */
function distance(text: string, begun: string): number {
  if (text.startsWith(begun)) return 0;
  return text.toLowerCase().startsWith(begun.toLowerCase()) ? 1 : 2;
}

/** A member of an item that stands for its label where it is absent. */
function textOf(item: Readonly<Record<string, unknown>>, member: 'filterText' | 'sortText'): string {
  const value = item[member] ?? item.label;
  return typeof value === 'string' ? value : '';
}
