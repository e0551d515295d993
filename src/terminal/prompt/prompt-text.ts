/**
 * The text a person is writing, and where in it they are.
 *
 * Invariant: the cursor stands between two characters as a person sees them, never inside one.
 */
import { charactersOf, characterWidth, widthOf } from '../line/character-width.ts';
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
  let end = 0;
  for (const character of charactersOf(text)) {
    if (end >= cursor) break;
    end += character.length;
  }
  return { text, cursor: end };
}

function offsetAtColumn(line: string, column: number): number {
  let offset = 0;
  let width = 0;
  for (const character of charactersOf(line)) {
    width += characterWidth(character);
    if (width > column) break;
    offset += character.length;
  }
  return offset;
}

type Place = (text: string, cursor: number) => number;

const before: Place = (text, cursor) => cursor - (charactersOf(text.slice(0, cursor)).at(-1)?.length ?? 0);
const after: Place = (text, cursor) => cursor + (charactersOf(text.slice(cursor))[0]?.length ?? 0);
// A negative place is taken for the first by lastIndexOf, which would find a line break standing there.
const lineStart: Place = (text, cursor) => (cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1);
const wordStart: Place = (text, cursor) => text.slice(0, cursor).replace(/[^\s]+\s*$|\s+$/u, '').length;

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
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
