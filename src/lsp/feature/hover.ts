/**
 * The hover text at a position.
 *
 * Invariant: the parts keep their order, one below the other; code that came with its language is fenced as in
 * Markdown.
 */

import { isRecord } from '../../base/record.ts';
import type { Range } from '../../text/position.ts';
import { rangeDecoder } from '../document.ts';
import type { DocumentPosition } from '../document-position.ts';
import { readRange } from '../internal/wire-range.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';

export interface Hover {
  /** Markdown as the server sent it; empty if there is none. */
  readonly text: string;
  /** What it is about, if the server says so. */
  readonly range?: Range;
}

/** Markdown as the server sent it; empty if there is none. */
export async function hoverText(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<string> {
  return (await hoverAt(server, at, signal)).text;
}

export async function hoverAt(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<Hover> {
  const question = { provider: 'hoverProvider', method: 'textDocument/hover', extras: {} } as const;
  const answer = await requestAt(server, question, at, signal);
  const range = isRecord(answer) ? readRange(answer.range) : undefined;
  return { text: readHover(answer), ...(range && { range: rangeDecoder(server, at.uri)(range) }) };
}

/** The text of a hover, in any of its forms. */
export function readHover(answer: unknown): string {
  return isRecord(answer) ? markupText(answer.contents) : '';
}

/** The text of markup, in any of its forms; empty if there is none. */
export function markupText(contents: unknown): string {
  if (typeof contents === 'string') return contents;
  if (Array.isArray(contents)) {
    return contents
      .map(markupText)
      .filter((part) => part !== '')
      .join('\n');
  }
  if (!isRecord(contents) || typeof contents.value !== 'string') return '';
  const { language, value } = contents;
  return typeof language === 'string' && value !== '' ? `\`\`\`${language}\n${value}\n\`\`\`` : value;
}
