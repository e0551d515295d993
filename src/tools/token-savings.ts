/**
 * What an answer costs its reader next to reading the whole file, in tokens of four bytes.
 *
 * Invariant: counted on the payload as it is sent; a file that cannot be measured is not guessed at, and an
 * answer longer than its file shows a negative saving.
 */
import { stat } from 'node:fs/promises';
import { tokensOf } from './answer-budget.ts';
import { contentOf, type ToolResult } from './tool-result.ts';

export interface TokenSavings {
  readonly tokens_returned: number;
  readonly tokens_full_file?: number;
  readonly tokens_saved?: number;
}

/** The result with its savings against the file at `absolutePath` added to its metadata. */
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
