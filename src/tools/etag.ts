/**
 * Entity tags of answers: a caller that sends back the tag of an unchanged answer gets a short reply instead.
 *
 * Invariant: equal tags mean the same tool, the same arguments and the same bytes, so a tag never confirms another
 * answer.
 */
import type { z } from 'zod';
import { sha256 } from '../storage/hash.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { word } from './parameter.ts';
import { jsonResult, type ToolResult } from './tool-result.ts';

export const ifNoneMatch: z.ZodOptional<z.ZodString> = word(
  'The etag of an earlier answer; if that answer is still current, {"status":"not_modified"} is returned.',
).optional();

export interface Tagged {
  readonly tool: string;
  readonly content: FileContent | undefined;
  /** The arguments that determine the answer; `if_none_match` is ignored. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Further dependencies of the answer, for tools that read beyond the file. */
  readonly beyond?: string;
}

export function etagOf({ tool, content, input, beyond = '' }: Tagged): string {
  const shaping = Object.entries(input)
    .filter(([name, value]) => name !== 'if_none_match' && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([tool, hashContent(content), shaping, beyond]));
}

/** The short answer for a current tag; otherwise undefined. */
export function notModified(etag: string, ifNoneMatch: string | undefined): ToolResult | undefined {
  // Some clients quote the tag, as in HTTP.
  const held = ifNoneMatch?.replace(/^(W\/)?"(.*)"$/, '$2');
  return held === etag ? jsonResult({ status: 'not_modified', etag }) : undefined;
}
