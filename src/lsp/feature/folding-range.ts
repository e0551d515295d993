/**
 * The ranges of a document that can be folded away.
 *
 * Invariant: whole lines only, the first of them stays visible; a range without two lines is omitted.
 */
import { isRecord, itemsOf } from '../../base/record.ts';
import type { LanguageServer } from '../language-server.ts';
import { request } from './internal/request.ts';

export interface FoldingRange {
  /** Zero-based; the last line is included. */
  readonly startLine: number;
  readonly endLine: number;
  /** `comment`, `imports`, `region`, or a word of the server's own. */
  readonly kind?: string;
}

/** Empty if the server does not fold. */
export async function foldingRanges(
  server: LanguageServer,
  uri: string,
  signal: AbortSignal,
): Promise<readonly FoldingRange[]> {
  if (!server.capabilities.has('foldingRangeProvider')) return [];
  return readFoldingRanges(
    await request(server, 'textDocument/foldingRange', { textDocument: { uri } }, signal),
  );
}

export function readFoldingRanges(answer: unknown): readonly FoldingRange[] {
  return itemsOf(answer).flatMap((item) => {
    if (!isRecord(item)) return [];
    const { startLine, endLine, kind } = item;
    if (typeof startLine !== 'number' || typeof endLine !== 'number' || endLine <= startLine) return [];
    return [{ startLine, endLine, ...(typeof kind === 'string' && { kind }) }];
  });
}
