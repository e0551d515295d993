/**
 * Replaces a passage that a caller quotes instead of addressing it by position.
 *
 * An exact match is looked for first; failing that, lines that are equal but for the white space around them.
 *
 * Invariant: a quote that fits several places changes none of them unless the caller said which.
 */
import { withEndingsOf } from '../text/line-ending.ts';
import { InvalidArgument } from './failure.ts';

export interface Quote {
  readonly oldText: string;
  readonly newText: string;
  /** Which of several places, from 1, or all of them. */
  readonly which?: number | 'all' | undefined;
}

export type Replacement =
  | { readonly kind: 'replaced'; readonly text: string }
  | { readonly kind: 'not-found' };

interface Place {
  readonly start: number;
  readonly end: number;
}

export function replaceQuote(text: string, quote: Quote): Replacement {
  const exact = exactPlaces(text, quote.oldText);
  const places = exact.length > 0 ? exact : linePlaces(text, quote.oldText);
  if (places.length === 0) return { kind: 'not-found' };
  const chosen = choose(places, quote.which);
  const newText = withEndingsOf(exact.length > 0 ? quote.newText : quote.newText.replace(/\r?\n$/, ''), text);
  let result = '';
  let done = 0;
  for (const place of chosen) {
    result += text.slice(done, place.start) + newText;
    done = place.end;
  }
  return { kind: 'replaced', text: result + text.slice(done) };
}

function choose(places: readonly Place[], which: number | 'all' | undefined): readonly Place[] {
  if (which === 'all') return places;
  if (which === undefined && places.length > 1) {
    throw new InvalidArgument(
      `old_text is ambiguous: it occurs ${places.length} times`,
      'Quote more of the surrounding text, or give occurrence (from 1) or replace_all.',
    );
  }
  const place = places[(which ?? 1) - 1];
  if (!place) {
    throw new InvalidArgument(`occurrence ${which} does not exist: old_text occurs ${places.length} time(s)`);
  }
  return [place];
}

function exactPlaces(text: string, wanted: string): readonly Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    places.push({ start: at, end: at + wanted.length });
  }
  return places;
}

/** Whole lines whose trimmed texts follow one another as the quote's do. */
function linePlaces(text: string, wanted: string): readonly Place[] {
  const sought = wanted
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => line.trim());
  if (sought.every((line) => line === '')) return [];
  const lines = linesOf(text);
  const places: Place[] = [];
  for (let at = 0; at + sought.length <= lines.length; at++) {
    if (!sought.every((line, offset) => lines[at + offset]?.trimmed === line)) continue;
    places.push({ start: lines[at]?.start ?? 0, end: lines[at + sought.length - 1]?.end ?? text.length });
    at += sought.length - 1;
  }
  return places;
}

function linesOf(text: string): readonly (Place & { readonly trimmed: string })[] {
  const lines: (Place & { readonly trimmed: string })[] = [];
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline;
    const end = newline > start && text[newline - 1] === '\r' ? next - 1 : next;
    lines.push({ start, end, trimmed: text.slice(start, end).trim() });
    start = newline < 0 ? text.length + 1 : newline + 1;
  }
  return lines;
}
