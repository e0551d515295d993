/**
 * The text of a hover, in whichever of its forms it came.
 *
 * Invariant: the parts keep their order, one below the other; code that came with its language is fenced, as
 * Markdown would have it.
 */
import { isRecord } from '../internal/json.ts';

/** Empty where the server had nothing to say. */
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
