/**
 * Splits a list of names like xargs.
 *
 * Invariant: a list with quotes or backslashes, which xargs would interpret, is refused.
 */
import { boundary, type ShellBoundary } from '../../shell/boundary.ts';

export function splitItems(
  listed: Buffer,
  separator: 'blank' | 'line' | 'nul' | string,
): readonly string[] | ShellBoundary {
  const text = listed.toString('utf8');
  if (separator === 'nul') return text.split('\0').filter((item) => item !== '');
  if (separator === 'line' || separator === 'blank') {
    if (/["'\\]/.test(text))
      return boundary('operand', 0, 'the names contain quotes; separate them with NUL');
    if (separator === 'blank') return text.split(/\s+/).filter((item) => item !== '');
    return text
      .split('\n')
      .map((item) => item.replace(/^[ \t]+/, ''))
      .filter((item) => item !== '');
  }
  const items = text.split(separator);
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}
