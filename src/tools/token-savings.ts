/**
 * The tokens an answer saves compared with reading the whole file, in tokens of four bytes.
 *
 * Invariant: counted on the payload as sent. If the file cannot be measured, no saving is given; an answer longer
 * than its file shows a negative saving.
 */
import { stat } from 'node:fs/promises';
import { contentOf, type ToolResult, tokensOf } from './tool-result.ts';

export interface TokenSavings {
  readonly tokens_returned: number;
  readonly tokens_full_file?: number;
  readonly tokens_saved?: number;
}

/** Adds the savings against the file at `absolutePath` to the metadata of a result. */
export async function withTokenSavings(result: ToolResult, absolutePath: string): Promise<ToolResult> {
  const bytes = await stat(absolutePath).then(
    ({ size }) => size,
    () => undefined,
  );
  return { ...result, meta: { ...result.meta, token_savings: tokenSavings(result, bytes) } };
}

export function tokenSavings(result: ToolResult, fileBytes: number | undefined): TokenSavings {
  const returned = tokensOf(contentOf(result)[0] ?? '');
  if (fileBytes === undefined) return { tokens_returned: returned };
  const full = Math.floor(fileBytes / 4);
  return { tokens_returned: returned, tokens_full_file: full, tokens_saved: full - returned };
}
