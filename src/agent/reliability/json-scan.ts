/**
 * Finding JSON in text, and finishing JSON that was cut off.
 *
 * Invariant: nothing is guessed. What is finished had all its values written out; only brackets were missing.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../model/json-value.ts';

export interface FoundJson {
  readonly value: JsonValue;
  /** Just past its last character. */
  readonly end: number;
}

/** The object or list that begins at `start`; undefined where none does or it is not finished. */
export function jsonAt(text: string, start: number): FoundJson | undefined {
  const { end } = scan(text, start);
  if (end === undefined) return undefined;
  const value = parseJson(text.slice(start, end));
  return value === undefined ? undefined : { value, end };
}

/** An object whose closing brackets are missing; undefined where more than those is. */
export function completedObject(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  const { end, open, isInString } = scan(trimmed, 0);
  if (end !== undefined || isInString || open.length === 0) return undefined;
  // A number or a word at the very end may have gone on.
  if (/[\w.+-]$/.test(trimmed)) return undefined;
  const closers = [...open].reverse().map((bracket) => (bracket === '{' ? '}' : ']'));
  const value = parseJson(`${trimmed.replace(/,$/, '')}${closers.join('')}`);
  return isJsonObject(value) ? value : undefined;
}

interface Scan {
  /** Where the value that began at the start ends; undefined where it does not. */
  readonly end: number | undefined;
  readonly open: readonly string[];
  readonly isInString: boolean;
}

function scan(text: string, start: number): Scan {
  const open: string[] = [];
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') at = open.length === 0 ? text.length : closingQuote(text, at);
    if (at === text.length) return { end: undefined, open, isInString: true };
    followBrackets(open, character);
    const isClosing = '}]'.includes(character);
    if (open.length === 0) return { end: isClosing ? at + 1 : undefined, open, isInString: false };
  }
  return { end: undefined, open, isInString: false };
}

/** Keeps `open`, the brackets that are open, up to date. */
function followBrackets(open: string[], character: string): void {
  if ('{['.includes(character)) open.push(character);
  if ('}]'.includes(character)) open.pop();
}

/** Where the string that starts at `at` ends; the end of the text where it does not. */
function closingQuote(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1;
    else if (text[next] === '"') return next;
  }
  return text.length;
}
