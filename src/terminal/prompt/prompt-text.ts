/**
 * The text a person is writing, and where in it they are.
 *
 * Invariant: the cursor stands between two characters as a person sees them, never inside one.
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

/** What a key that moves or erases makes of it; undefined where the key does neither. */
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

/** The same column on the line above or below; undefined where there is no such line. */
export function climbed({ text, cursor }: PromptText, direction: 'up' | 'down'): PromptText | undefined {
  const start = lineStart(text, cursor);
  const end = lineEnd(text, cursor);
  const beyond = direction === 'up' ? start - 1 : end + 1;
  if (beyond < 0 || beyond > text.length) return undefined;
  const from = lineStart(text, beyond);
  const line = text.slice(from, lineEnd(text, beyond));
  return placed(text, from + offsetAtColumn(line, widthOf(text.slice(start, cursor))));
}

/** What was two characters may be one since: a mark that is typed alone, two halves of a flag that meet. */
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

/** Where the line begins that holds an offset. */
export function lineStart(text: string, cursor: number): number {
  // A negative place is taken for the first by lastIndexOf, which would find a line break standing there.
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

/** Where it ends, without its line break. */
export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

/** Read backwards: a pattern that is anchored at the end alone is tried at every place of the text. */
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

/** Where the erased part reaches to from the cursor. */
const erasures: ReadonlyMap<KeyName, Place> = new Map([
  ['backspace', before],
  ['delete', after],
  ['erase-word', wordStart],
  ['erase-before', lineStart],
  ['erase-after', lineEnd],
]);
