/**
 * The width of a text in terminal columns.
 *
 * Invariant: the width of a text is the sum of the widths of its characters. A character is a grapheme cluster: marks
 * and joiners belong to the character before them.
 */
import { charactersFrom } from './character.ts';

/** Text in which every code unit is one character of one column. */
const plainAscii = /^[\x20-\x7e]*$/;

export function widthOf(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const character of charactersFrom(text, 0)) width += characterWidth(character);
  return width;
}

/** The width of one character: 0, 1 or 2. */
export function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (/^[\p{Mn}\p{Me}\p{Cf}]/u.test(character) && code !== 0xad) return 0;
  // The variation selector requests the emoji form, which is wide even if the plain character is narrow.
  if (character.includes('\ufe0f')) return 2;
  return isWide(code) || /^[\p{Emoji_Presentation}]/u.test(character) ? 2 : 1;
}

/** First and last code points of the ranges that Unicode calls wide or fullwidth, without emoji. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

function isWide(code: number): boolean {
  return code >= 0x1100 && wideRanges.some(([first, last]) => code >= first && code <= last);
}
