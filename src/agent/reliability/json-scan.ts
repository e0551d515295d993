/**
 * Finds JSON in text, and completes JSON that was cut off.
 *
 * Invariant: values are never guessed. A completed object had all its values; only closing brackets were missing.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../model/json-value.ts';

export interface FoundJson {
  readonly value: JsonValue;
  /** Exclusive. */
  readonly end: number;
}

/** The object or array that begins at `start`; undefined if there is none or it is incomplete. */
export function jsonAt(text: string, start: number): FoundJson | undefined {
  const { end } = scan(text, start);
  if (end === undefined) return undefined;
  const value = parseJson(text.slice(start, end));
  return value === undefined ? undefined : { value, end };
}

/** Completes an object that lacks only its closing brackets; undefined if it lacks more. */
export function completedObject(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  const { end, open, isInString } = scan(trimmed, 0);
  if (end !== undefined || isInString || open.length === 0) return undefined;
  // A number or word at the very end may be incomplete.
  if (/[\w.+-]$/.test(trimmed)) return undefined;
  const closers = [...open].reverse().map((bracket) => (bracket === '{' ? '}' : ']'));
  const value = parseJson(`${trimmed.replace(/,$/, '')}${closers.join('')}`);
  return isJsonObject(value) ? value : undefined;
}

interface Scan {
  /** The end of the value that began at the start; undefined if it is incomplete. */
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

/** Updates `open`, the stack of open brackets. */
function followBrackets(open: string[], character: string): void {
  if ('{['.includes(character)) open.push(character);
  if ('}]'.includes(character)) open.pop();
}

/** The end of the string that starts at `at`; the end of the text if it is not closed. */
function closingQuote(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1;
    else if (text[next] === '"') return next;
  }
  return text.length;
}
