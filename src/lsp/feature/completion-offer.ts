/**
 * A completion item in our own type and columns.
 *
 * Invariant: what is inserted is plain text. A snippet is offered by its text without placeholders.
 */
import { isRecord, itemsOf } from '../../base/record.ts';
import type { Range } from '../../text/position.ts';
import { rangeDecoder } from '../document.ts';
import { readRange } from '../internal/wire-range.ts';
import type { LanguageServer } from '../language-server.ts';
import type { CompletionItem } from './completion.ts';
import { markupText } from './hover.ts';

export interface CompletionOffer {
  readonly label: string;
  /** What distinguishes it from items of the same label, such as a signature or a module. */
  readonly labelDetail?: string;
  /** The number by which the protocol names kinds of completions. */
  readonly kind?: number;
  readonly detail?: string;
  /** Markdown; empty if there is none, or it comes with resolving. */
  readonly documentation: string;
  readonly sortText: string;
  readonly filterText: string;
  readonly isDeprecated: boolean;
  readonly isPreselected: boolean;
  readonly insertText: string;
  /** What is replaced; absent: the word before the cursor. */
  readonly range?: Range;
  /** Changes elsewhere in the document, such as an import; they are complete only in a resolved item. */
  readonly additionalEdits: readonly OfferedEdit[];
}

export interface OfferedEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Undefined for an item without a label. */
export function completionOffer(
  server: LanguageServer,
  uri: string,
  item: CompletionItem,
): CompletionOffer | undefined {
  const offer = readCompletionOffer(item);
  if (!offer) return undefined;
  const decode = rangeDecoder(server, uri);
  return {
    ...offer,
    ...(offer.range && { range: decode(offer.range) }),
    additionalEdits: offer.additionalEdits.map(({ range, newText }) => ({ range: decode(range), newText })),
  };
}

export function readCompletionOffer(item: CompletionItem): CompletionOffer | undefined {
  const { label, kind, detail, labelDetails } = item;
  if (typeof label !== 'string') return undefined;
  const { range, newText } = isRecord(item.textEdit) ? item.textEdit : {};
  const replaced = readRange(range) ?? replaceRange(item.textEdit);
  const text = [newText, item.insertText, label].find((each) => typeof each === 'string') ?? label;
  const labelDetail = isRecord(labelDetails)
    ? [labelDetails.detail, labelDetails.description].filter((each) => typeof each === 'string').join(' ')
    : '';
  return {
    label,
    ...(labelDetail !== '' && { labelDetail }),
    ...(typeof kind === 'number' && { kind }),
    ...(typeof detail === 'string' && { detail }),
    documentation: markupText(item.documentation),
    sortText: typeof item.sortText === 'string' ? item.sortText : label,
    filterText: typeof item.filterText === 'string' ? item.filterText : label,
    isDeprecated: item.deprecated === true || itemsOf(item.tags).includes(deprecatedTag),
    isPreselected: item.preselect === true,
    insertText: item.insertTextFormat === snippetFormat ? withoutPlaceholders(String(text)) : String(text),
    ...(replaced && { range: replaced }),
    additionalEdits: itemsOf(item.additionalTextEdits).flatMap((edit) => readEdit(edit) ?? []),
  };
}

const deprecatedTag = 1;
const snippetFormat = 2;

/** Servers may offer two ranges, to insert and to replace; we replace. */
function replaceRange(edit: unknown): Range | undefined {
  return isRecord(edit) ? readRange(edit.replace) : undefined;
}

function readEdit(edit: unknown): OfferedEdit | undefined {
  if (!isRecord(edit) || typeof edit.newText !== 'string') return undefined;
  const range = readRange(edit.range);
  return range && { range, newText: edit.newText };
}

/** `${1:name}` becomes `name`, `$0` nothing, `\$` a dollar sign. */
export function withoutPlaceholders(snippet: string): string {
  let text = snippet;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/(?<!\\)\$\{\d+\|((?:[^,|\\]|\\.)*)[^}]*\}|(?<!\\)\$\{\w+:([^${}]*)\}/g, '$1$2');
  }
  return text.replace(/(?<!\\)\$(?:\d+|\{\w+\})/g, '').replace(/\\([\\$}])/g, '$1');
}
