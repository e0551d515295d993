/**
 * The text that `echo` and `printf` print, where the words alone show it.
 *
 * Invariant: words with escapes, options or expansions that only the run knows have no known text.
 */
import type { ShellWord } from '../syntax/shell-list.ts';

export function printedText([name, ...words]: readonly ShellWord[]): string | undefined {
  const isKnown = words.every(({ opaque, pattern, provided }) => !opaque && !pattern && !provided);
  if (!isKnown || words.length === 0) return undefined;
  const texts = words.map(({ text }) => text);
  if (name?.text === 'echo') {
    return texts.some((text) => text.startsWith('-') || text.includes('\\'))
      ? undefined
      : `${texts.join(' ')}\n`;
  }
  if (name?.text !== 'printf') return undefined;
  const [format = '', ...items] = texts;
  const end = ends[format];
  return end === undefined ? undefined : items.map((item) => item + end).join('');
}

/** The formats that print each word on a line of its own, or up to a NUL. */
const ends: Readonly<Record<string, string>> = { '%s\\n': '\n', '%s\\0': '\0' };
