/**
 * Applies `${x%pattern}` and related operators to a value.
 *
 * Invariant: a pattern is text with `*` and `?`, matched as in bash.
 */
import type { Parameter } from '../syntax/shell-list.ts';

export function changeValue(value: string, change: Parameter['change']): string {
  switch (change.kind) {
    case 'none':
      return value;
    case 'length':
      return String([...value].length);
    case 'default':
      return value === '' ? change.text : value;
    case 'cut':
      return cut(value, change.from, change.pattern);
  }
}

function cut(value: string, from: '#' | '##' | '%' | '%%', pattern: string): string {
  const source = pattern
    .replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const whole = new RegExp(`^${source}$`, 's');
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index);
  const order = from.length === 2 ? lengths.reverse() : lengths;
  for (const length of order) {
    const part = from.startsWith('#') ? value.slice(0, length) : value.slice(value.length - length);
    if (!whole.test(part)) continue;
    return from.startsWith('#') ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}
