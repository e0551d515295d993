/**
 * Checks length and characters of a text before it is parsed.
 *
 * Invariant: an accepted text contains no control character but tab and newline, no invisible or direction-changing
 * character, no space but the plain one, and no lone surrogate.
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

/** Control, format, surrogate, unassigned and private characters, and separators, except tab, newline and space. */
const refused = /(?![\t\n ])[\p{C}\p{Z}]/u;
