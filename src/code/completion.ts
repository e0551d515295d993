/**
 * What could be written at a place.
 *
 * Invariant: items pass as the server wrote them; a list that was cut says that it is incomplete.
 */
import { type CompletionList, readCompletions } from '../lsp/feature/completion.ts';
import { askAt, type Place, type Query } from './query.ts';

/** Empty where the server completes nothing. */
export async function completions(query: Query, place: Place, signal: AbortSignal): Promise<CompletionList> {
  const question = {
    provider: 'completionProvider',
    method: 'textDocument/completion',
    params: { context: { triggerKind: invoked } },
  };
  return readCompletions(await askAt(query, place, question, signal));
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

const invoked = 1;

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
