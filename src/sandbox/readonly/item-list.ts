/**
 * Takes a list of names apart the way xargs does.
 *
 * Invariant: a list with quotes or backslashes, which xargs would read as its own notation, is refused.
 */
import { boundary, type ShellBoundary } from '../../shell/boundary.ts';

export function splitItems(
  listed: Buffer,
  separator: 'blank' | 'line' | 'nul' | string,
): readonly string[] | ShellBoundary {
  const text = listed.toString('utf8');
  if (separator === 'nul') return text.split('\0').filter((item) => item !== '');
  if (separator === 'line' || separator === 'blank') {
    if (/["'\\]/.test(text)) return boundary('operand', 0, 'the names hold quotes; separate them by NUL');
    if (separator === 'blank') return text.split(/\s+/).filter((item) => item !== '');
    return text
      .split('\n')
      .map((item) => item.replace(/^[ \t]+/, ''))
      .filter((item) => item !== '');
  }
  const items = text.split(separator);
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}
