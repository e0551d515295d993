/**
 * Answers a caller already holds are not given twice: each carries a tag, and a caller who sends the tag back
 * learns that nothing has changed.
 *
 * Invariant: equal tags mean the same tool, the same arguments and the same bytes, so a tag never vouches
 * for an answer it did not come with.
 */
import type { z } from 'zod';
import { sha256 } from '../storage/hash.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { word } from './parameter.ts';
import { jsonResult, type ToolResult } from './tool-result.ts';

export const ifNoneMatch: z.ZodOptional<z.ZodString> = word(
  'The etag of an earlier answer; while that answer still holds, {"status":"not_modified"} comes instead.',
).optional();

export interface Tagged {
  readonly tool: string;
  readonly content: FileContent | undefined;
  /** The arguments that shape the answer; `if_none_match` is left out whether it is there or not. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What else the answer rests on, for tools that look beyond the file. */
  readonly beyond?: string;
}

export function etagOf({ tool, content, input, beyond = '' }: Tagged): string {
  const shaping = Object.entries(input)
    .filter(([name, value]) => name !== 'if_none_match' && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([tool, hashContent(content), shaping, beyond]));
}

/** The short answer for a caller whose tag still holds; undefined for everybody else. */
export function notModified(etag: string, ifNoneMatch: string | undefined): ToolResult | undefined {
  // Some clients send the tag as HTTP writes it, in quotes.
  const held = ifNoneMatch?.replace(/^(W\/)?"(.*)"$/, '$2');
  return held === etag ? jsonResult({ status: 'not_modified', etag }) : undefined;
}
