/**
 * The first look at a text: whether it is of a length and an alphabet that can be read without doubt.
 *
 * Invariant: a text that passes holds no control character but tab and newline, no invisible or
 * direction-changing character, no space but the plain one, and no half of a surrogate pair.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';

export function gateCharacters(text: string): ShellBoundary | undefined {
  if (text.length > maxLength) {
    return boundary('length', maxLength, `the text is longer than ${maxLength} characters`);
  }
  const at = text.search(refused);
  if (at < 0) return undefined;
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return boundary('character', at, `the character U+${code} can be read in more than one way`);
}

const maxLength = 8192;

/** Controls, formats, surrogates, unassigned and private characters, separators; tab, newline and space excepted. */
const refused = /(?![\t\n ])[\p{C}\p{Z}]/u;
