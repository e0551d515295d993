/**
 * The text being typed and its cursor.
 *
 * Invariant: the cursor stands between two grapheme clusters, never inside one.
 */
import { boundaryBefore, boundaryFrom, charactersFrom } from '../line/character.ts';
import { characterWidth, widthOf } from '../line/character-width.ts';
import type { KeyName } from './key.ts';

export interface PromptText {
  readonly text: string;
  /** An offset into the text. */
  readonly cursor: number;
}

export const emptyPrompt: PromptText = { text: '', cursor: 0 };

export function promptOf(text: string): PromptText {
  return { text, cursor: text.length };
}

export function inserted({ text, cursor }: PromptText, added: string): PromptText {
  return placed(text.slice(0, cursor) + added + text.slice(cursor), cursor + added.length);
}

/** Applies a key that moves or erases; undefined if the key does neither. */
export function edited(prompt: PromptText, key: KeyName): PromptText | undefined {
  const { text, cursor } = prompt;
  const move = movements.get(key);
  if (move) return placed(text, move(text, cursor));
  const erase = erasures.get(key);
  if (!erase) return undefined;
  const end = erase(text, cursor);
  const [from, to] = end < cursor ? [end, cursor] : [cursor, end];
  return placed(text.slice(0, from) + text.slice(to), from);
}

/** The same column on the line above or below; undefined if there is no such line. */
export function climbed({ text, cursor }: PromptText, direction: 'up' | 'down'): PromptText | undefined {
  const start = lineStart(text, cursor);
  const end = lineEnd(text, cursor);
  const beyond = direction === 'up' ? start - 1 : end + 1;
  if (beyond < 0 || beyond > text.length) return undefined;
  const from = lineStart(text, beyond);
  const line = text.slice(from, lineEnd(text, beyond));
  return placed(text, from + offsetAtColumn(line, widthOf(text.slice(start, cursor))));
}

/** Adjusts the cursor: two characters may have become one, for example when a mark is typed. */
function placed(text: string, cursor: number): PromptText {
  return { text, cursor: boundaryFrom(text, cursor) };
}

function offsetAtColumn(line: string, column: number): number {
  let offset = 0;
  let width = 0;
  for (const character of charactersFrom(line, 0)) {
    width += characterWidth(character);
    if (width > column) break;
    offset += character.length;
  }
  return offset;
}

type Place = (text: string, cursor: number) => number;

const before: Place = boundaryBefore;
const after: Place = (text, cursor) => boundaryFrom(text, cursor + 1);

/** The beginning of the line that contains an offset. */
export function lineStart(text: string, cursor: number): number {
  // lastIndexOf reads a negative index as 0 and would find a line break there.
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

/** The end of that line, without its line break. */
export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

/** Read backwards: a pattern anchored only at its end would be tried at every index. */
function wordStart(text: string, cursor: number): number {
  let start = cursor;
  while (start > 0 && isBlank(text, start - 1)) start -= 1;
  while (start > 0 && !isBlank(text, start - 1)) start -= 1;
  return start;
}

function isBlank(text: string, offset: number): boolean {
  return /\s/u.test(text.charAt(offset));
}

function wordEnd(text: string, cursor: number): number {
  return cursor + (/^\s*\S+|^\s+/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

const movements: ReadonlyMap<KeyName, Place> = new Map([
  ['left', before],
  ['right', after],
  ['home', lineStart],
  ['end', lineEnd],
  ['word-left', wordStart],
  ['word-right', wordEnd],
]);

/** The end of the erased part, from the cursor. */
const erasures: ReadonlyMap<KeyName, Place> = new Map([
  ['backspace', before],
  ['delete', after],
  ['erase-word', wordStart],
  ['erase-before', lineStart],
  ['erase-after', lineEnd],
]);
