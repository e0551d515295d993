/**
 * Completions at a position.
 *
 * Invariant: items are returned as the server sent them; a shortened list is marked as incomplete.
 */

import type { CompletionItem as ProtocolItem } from 'vscode-languageserver-protocol';
import { isRecord, itemsOf } from '../../base/record.ts';
import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { offers, request, requestAt } from './internal/request.ts';

/** An item in the form of the protocol. */
export type CompletionItem = Readonly<Record<string, unknown>>;

export interface CompletionList {
  readonly isIncomplete: boolean;
  readonly items: readonly CompletionItem[];
}

export interface CompletionRequest extends DocumentPosition {
  /** The character whose typing made the client ask; absent: it was asked for by a key. */
  readonly typed?: string | undefined;
}

/** Empty if the server has no completions. */
export async function completions(
  server: LanguageServer,
  { typed, ...at }: CompletionRequest,
  signal: AbortSignal,
): Promise<CompletionList> {
  const isTrigger = typed !== undefined && completionTriggers(server).includes(typed);
  const context = isTrigger
    ? ({ triggerKind: byCharacter, triggerCharacter: typed } as const)
    : ({ triggerKind: invoked } as const);
  const question = {
    provider: 'completionProvider',
    method: 'textDocument/completion',
    extras: { context },
  } as const;
  return readCompletions(await requestAt(server, question, at, signal));
}

const invoked = 1;
const byCharacter = 2;

/** The characters after which a server completes while one types. */
export function completionTriggers({ capabilities }: LanguageServer): readonly string[] {
  const offered = capabilities.raw.completionProvider;
  return itemsOf(isRecord(offered) ? offered.triggerCharacters : undefined).filter(
    (each): each is string => typeof each === 'string',
  );
}

/** The item with its documentation and its further edits, such as an import. */
export async function resolvedCompletion(
  server: LanguageServer,
  item: CompletionItem,
  signal: AbortSignal,
): Promise<CompletionItem> {
  const resolves = {
    provider: 'completionProvider',
    method: 'textDocument/completion',
    option: 'resolveProvider',
  } as const;
  if (!offers(server, resolves)) return item;
  // The server sent this value itself; it is sent back unparsed.
  const sent = item as object as ProtocolItem;
  const answer = await request(server, 'completionItem/resolve', sent, signal);
  return isRecord(answer) ? answer : item;
}

/** A server sends a list with its flag, or bare items, which are a complete list. */
export function readCompletions(answer: unknown): CompletionList {
  const list = isRecord(answer) ? answer : { items: answer };
  return { isIncomplete: list.isIncomplete === true, items: itemsOf(list.items).filter(isRecord) };
}

/**
 * The `limit` best items for the word before the cursor. Filtering is left to the client: items that continue the
 * word come first, then in the server's order; what the server ranks equally, by label, since some servers send it in
 * another order every time.
 */
export function bestCompletions(list: CompletionList, begun: string, limit: number): CompletionList {
  if (list.items.length <= limit) return list;
  const ranked = list.items.map((item) => ({
    item,
    misses: distance(textOf(item, 'filterText'), begun),
    sort: textOf(item, 'sortText'),
    label: textOf(item, 'label'),
  }));
  ranked.sort((a, b) => a.misses - b.misses || order(a.sort, b.sort) || order(a.label, b.label));
  return { isIncomplete: true, items: ranked.slice(0, limit).map(({ item }) => item) };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** 0 if the text continues the word, 1 if it does apart from case, 2 otherwise. */
function distance(text: string, begun: string): number {
  if (text.startsWith(begun)) return 0;
  return text.toLowerCase().startsWith(begun.toLowerCase()) ? 1 : 2;
}

/** A member of an item that defaults to its label. */
function textOf(item: CompletionItem, member: 'filterText' | 'sortText' | 'label'): string {
  const value = item[member] ?? item.label;
  return typeof value === 'string' ? value : '';
}
