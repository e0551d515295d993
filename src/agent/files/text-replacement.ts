/**
 * Replacing an exact piece of a text by another.
 *
 * Invariant: nothing but the occurrences of the old text changes, and those only as a whole. In a text whose lines
 * all end with `\r\n` both pieces are read with such endings, because that is not how lines are shown to a model.
 */
import { BadCall, NoSuchText, TextNotUnique } from '../failure.ts';

export interface TextReplacement {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

export interface ReplacedText {
  readonly text: string;
  readonly count: number;
}

export function replaceText(shown: string, text: string, replacement: TextReplacement): ReplacedText {
  const [old, fresh] = pieces(text, replacement);
  if (replacement.old_string === '') {
    throw new BadCall('old_string is empty', 'Give the text to replace, or use Write for a whole file.');
  }
  if (old === fresh) throw new BadCall('old_string and new_string are the same', 'Change new_string.');
  const halved = [old, fresh].find((piece) => loneSurrogate.test(piece));
  if (halved !== undefined) throw new BadCall('a character is cut in half', 'Write the whole character.');
  const parts = text.split(old);
  const count = parts.length - 1;
  if (count === 0) throw new NoSuchText(shown, nearMiss(text, old));
  if (count > 1 && replacement.replace_all !== true) throw new TextNotUnique(shown, count);
  return { text: parts.join(fresh), count };
}

/** Half a character replaced would not survive being written as UTF-8. */
const loneSurrogate = /\p{Surrogate}/u;

function pieces(text: string, { old_string, new_string }: TextReplacement): readonly [string, string] {
  if (!endsLinesWithPairs(text)) return [old_string, new_string];
  return [withPairs(old_string), withPairs(new_string)];
}

/** Whether every line that ends does so with `\r\n`, and at least one does. */
function endsLinesWithPairs(text: string): boolean {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
}

function withPairs(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** What most often went wrong, where it can be told. */
function nearMiss(text: string, old: string): string {
  const squeezed = (value: string): string => value.replace(/\s+/g, ' ').trim();
  if (/^ *\d+\t/m.test(old)) return '; it seems to begin with a line number, which is not part of the file';
  const wanted = squeezed(old);
  return wanted !== '' && squeezed(text).includes(wanted)
    ? '; only its white space differs from what is there'
    : '';
}
