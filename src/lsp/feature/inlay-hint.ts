/**
 * The types and parameter names that a server shows between the words of a document.
 *
 * Invariant: a hint without a position or a text is omitted.
 */
import { isRecord, itemsOf } from '../../base/record.ts';
import type { Position } from '../../text/position.ts';
import { encodeColumns, rangeDecoder } from '../document.ts';
import type { DocumentRange } from '../document-position.ts';
import { readRange } from '../internal/wire-range.ts';
import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';

export interface InlayHint {
  readonly position: Position;
  readonly label: string;
  readonly kind?: 'type' | 'parameter';
  /** Whether it is set off from the text before and after it. */
  readonly paddingLeft: boolean;
  readonly paddingRight: boolean;
}

/** The inlay hints of a range, as the server sent them. */
export async function inlayHints(
  server: LanguageServer,
  { uri, range }: DocumentRange,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  if (!server.capabilities.has('inlayHintProvider')) return [];
  const params = { textDocument: { uri }, range: encodeColumns(server, uri, range) };
  return itemsOf(await request(server, 'textDocument/inlayHint', params, signal));
}

/** Hints as the server sent them, in our own type and columns. */
export function ownInlayHints(
  server: LanguageServer,
  uri: string,
  hints: readonly unknown[],
): readonly InlayHint[] {
  const decode = rangeDecoder(server, uri);
  return hints.flatMap((item) => {
    const hint = readInlayHint(item);
    return hint ? [{ ...hint, position: decode({ start: hint.position, end: hint.position }).start }] : [];
  });
}

export function readInlayHint(item: unknown): InlayHint | undefined {
  if (!isRecord(item)) return undefined;
  const at = readRange({ start: item.position, end: item.position })?.start;
  const label = labelOf(item.label);
  if (!at || label === '') return undefined;
  const kind = item.kind === 1 ? 'type' : item.kind === 2 ? 'parameter' : undefined;
  return {
    position: at,
    label,
    ...(kind && { kind }),
    paddingLeft: item.paddingLeft === true,
    paddingRight: item.paddingRight === true,
  };
}

function labelOf(label: unknown): string {
  if (typeof label === 'string') return label;
  return itemsOf(label)
    .map((part) => (isRecord(part) && typeof part.value === 'string' ? part.value : ''))
    .join('');
}
