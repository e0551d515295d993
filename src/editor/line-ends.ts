/**
 * How the lines of a file end, and its text as lines and back.
 *
 * Invariant: joining the lines of a text gives the same text.
 */
import type { Text } from '@codemirror/state';

/** In a `mixed` file only a line feed ends a line; a carriage return is a character of its line. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

export function endingOf(text: string): LineEnds {
  if (!text.includes('\r')) return 'lf';
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? 'mixed' : 'crlf';
}

export function splitLines(text: string, ends: LineEnds): string[] {
  return text.split(ends === 'crlf' ? '\r\n' : '\n');
}

export function joinLines(text: Text, ends: LineEnds): string {
  return ends === 'crlf' ? text.sliceString(0, text.length, '\r\n') : text.toString();
}
