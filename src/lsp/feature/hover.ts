/**
 * The hover text at a position.
 *
 * Invariant: the parts keep their order, one below the other; code that came with its language is fenced as in
 * Markdown.
 */

import { isRecord } from '../../base/record.ts';
import type { DocumentPosition } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { requestAt } from './internal/request.ts';

/** Markdown as the server sent it; empty if there is none. */
export async function hoverText(
  server: LanguageServer,
  at: DocumentPosition,
  signal: AbortSignal,
): Promise<string> {
  const question = { provider: 'hoverProvider', method: 'textDocument/hover', extras: {} } as const;
  return readHover(await requestAt(server, question, at, signal));
}

/** The text of a hover, in any of its forms. */
export function readHover(answer: unknown): string {
  return isRecord(answer) ? textOf(answer.contents) : '';
}

function textOf(contents: unknown): string {
  if (typeof contents === 'string') return contents;
  if (Array.isArray(contents)) {
    return contents
      .map(textOf)
      .filter((part) => part !== '')
      .join('\n');
  }
  if (!isRecord(contents) || typeof contents.value !== 'string') return '';
  const { language, value } = contents;
  return typeof language === 'string' && value !== '' ? `\`\`\`${language}\n${value}\n\`\`\`` : value;
}
