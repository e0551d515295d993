/**
 * Applies `${x%pattern}` and related operators to a value.
 *
 * Invariant: a pattern is text with `*` and `?`, matched as in bash; characters are counted, not UTF-16 units.
 */
import type { Parameter } from '../syntax/shell-list.ts';

type Change<Kind> = Extract<Parameter['change'], { kind: Kind }>;

export function changeValue(value: string, change: Parameter['change']): string {
  switch (change.kind) {
    case 'none':
      return value;
    case 'length':
      return String([...value].length);
    case 'default':
      return value === '' ? change.text : value;
    case 'alternative':
      return value === '' ? '' : change.text;
    case 'slice':
      return slice([...value], change);
    case 'case':
      return changeCase(value, change);
    case 'replace':
      return replace(value, change);
    case 'cut':
      return cut(value, change.from, change.pattern);
  }
}

function slice(characters: readonly string[], { from, length }: Change<'slice'>): string {
  const start = from < 0 ? characters.length + from : from;
  if (start < 0) return '';
  return characters.slice(start, length === undefined ? undefined : start + length).join('');
}

function changeCase(value: string, { to, count }: Change<'case'>): string {
  const [first = '', ...rest] = value;
  const changed = (text: string): string => (to === 'upper' ? text.toUpperCase() : text.toLowerCase());
  return count === 'all' ? changed(value) : changed(first) + rest.join('');
}

/** Bash replaces the longest match at each place. */
function replace(value: string, { where, pattern, by }: Change<'replace'>): string {
  const source = sourceOf(pattern);
  const anchored = where === 'start' ? `^(?:${source})` : where === 'end' ? `(?:${source})$` : source;
  return value.replace(new RegExp(anchored, where === 'all' ? 'gsu' : 'su'), () => by);
}

/** A pattern as a regular expression; a wildcard takes as much as it can. */
function sourceOf(pattern: string): string {
  return pattern
    .replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
}

function cut(value: string, from: '#' | '##' | '%' | '%%', pattern: string): string {
  const whole = new RegExp(`^${sourceOf(pattern)}$`, 's');
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index);
  const order = from.length === 2 ? lengths.reverse() : lengths;
  for (const length of order) {
    const part = from.startsWith('#') ? value.slice(0, length) : value.slice(value.length - length);
    if (!whole.test(part)) continue;
    return from.startsWith('#') ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}
