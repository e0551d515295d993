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
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') open.push(character);
    else if (character === '}' || character === ']') {
      open.pop();
      if (open.length === 0) return { end: at + 1, open, isInString };
    }
    if (open.length === 0) break;
  }
  return { end: undefined, open, isInString };
}
