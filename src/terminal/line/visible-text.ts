/**
 * Makes untrusted text safe to show.
 *
 * Invariant: the result moves no cursor, changes no colour and hides nothing. Control characters and characters that
 * change the text direction are shown by name.
 */

/** One or several lines. Line feeds are kept, tabs become blanks, a carriage return before a line feed is removed. */
export function visibleText(text: string): string {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text;
  return text.replace(/\r\n/g, '\n').replace(/\t/g, tab).replace(acting, named);
}

/** A single line: line ends are shown as symbols. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '⏎');
}

const tab = '    ';

// Control characters of both ranges, and the signs that reorder what stands around them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function named(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
