/**
 * The occurrences of a symbol in one document, with their kind.
 *
 * Invariant: an occurrence without a range is omitted; a kind is present only if the server sent one.
 */

import { isRecord, itemsOf } from '../../base/record.ts';
import type { Range } from '../../text/position.ts';
import { rangeDecoder } from '../document.ts';
import type { DocumentPosition } from '../document-position.ts';
import { readRange } from '../internal/wire-range.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';

export interface Highlight {
  readonly range: Range;
  /** 1 text, 2 read, 3 write. */
  readonly kind?: number;
}

export async function highlights(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<readonly Highlight[]> {
  const question = {
    provider: 'documentHighlightProvider',
    method: 'textDocument/documentHighlight',
    extras: {},
  } as const;
  const found = readHighlights(await requestAt(server, question, at, signal));
  const decode = rangeDecoder(server, at.uri);
  return found.map(({ range, ...rest }) => ({ range: decode(range), ...rest }));
}

function readHighlights(answer: unknown): readonly Highlight[] {
  return itemsOf(answer).flatMap((item) => {
    if (!isRecord(item)) return [];
    const range = readRange(item.range);
    return range ? [{ range, ...(typeof item.kind === 'number' && { kind: item.kind }) }] : [];
  });
}
