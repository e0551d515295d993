/**
 * Replaces a passage that the caller quotes instead of giving its position.
 *
 * Exact matches are searched first. Only if there is none, whole lines match that differ from the quote in the white
 * space around them. In a text whose lines all end with `\r\n` the quote and the new text are read with such endings,
 * because callers see lines without them.
 *
 * Invariant: a quote that matches several places changes none of them unless the caller said which.
 */
export interface Quote {
  readonly oldText: string;
  readonly newText: string;
  /** Which of several matches, from 1, or all of them. */
  readonly which?: number | 'all' | undefined;
}

export type QuotedReplacement =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'not-found' }
  /** Several matches, and the quote does not say which. */
  | { readonly kind: 'ambiguous'; readonly count: number }
  /** `which` is larger than the number of matches. */
  | { readonly kind: 'no-such-occurrence'; readonly occurrence: number; readonly count: number };

interface Span {
  readonly start: number;
  readonly end: number;
}

export function replaceQuoted(text: string, { oldText, newText, which }: Quote): QuotedReplacement {
  const exact = exactSpans(text, endedLike(text, oldText));
  const spans = exact.length > 0 ? exact : lineSpans(text, oldText);
  const count = spans.length;
  if (count === 0) return { kind: 'not-found' };
  if (which === undefined && count > 1) return { kind: 'ambiguous', count };
  const chosen = which === 'all' ? spans : spans.slice((which ?? 1) - 1).slice(0, 1);
  if (chosen.length === 0) return { kind: 'no-such-occurrence', occurrence: Number(which), count };
  // A match of whole lines leaves the line ending of the last one in place.
  const fresh = endedLike(text, exact.length > 0 ? newText : newText.replace(/\r?\n$/, ''));
  return { kind: 'replaced', text: spliced(text, chosen, fresh), count: chosen.length };
}

function spliced(text: string, spans: readonly Span[], fresh: string): string {
  let result = '';
  let done = 0;
  for (const { start, end } of spans) {
    result += text.slice(done, start) + fresh;
    done = end;
  }
  return result + text.slice(done);
}

function exactSpans(text: string, wanted: string): readonly Span[] {
  // Every position matches an empty quote, so it says nothing about the place.
  if (wanted === '') return [];
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    spans.push({ start: at, end: at + wanted.length });
  }
  return spans;
}

/** Whole lines whose trimmed texts follow one another as the quote's do. */
function lineSpans(text: string, wanted: string): readonly Span[] {
  const sought = wanted
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => line.trim());
  if (sought.every((line) => line === '')) return [];
  const lines = linesOf(text);
  const spans: Span[] = [];
  for (let at = 0; at + sought.length <= lines.length; at++) {
    if (!sought.every((line, offset) => lines[at + offset]?.trimmed === line)) continue;
    spans.push({ start: lines[at]?.start ?? 0, end: lines[at + sought.length - 1]?.end ?? text.length });
    at += sought.length - 1;
  }
  return spans;
}

function linesOf(text: string): readonly (Span & { readonly trimmed: string })[] {
  const lines: (Span & { readonly trimmed: string })[] = [];
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

/** The passage with `\r\n` endings if every line of the text that ends does so with them. */
function endedLike(text: string, passage: string): string {
  const endsWithPairs = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  return endsWithPairs ? passage.replace(/\r?\n/g, '\r\n') : passage;
}
