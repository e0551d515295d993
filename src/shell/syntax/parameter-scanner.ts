/**
 * Scans `${…}`: a variable and one operation on its value.
 *
 * Invariant: indirection, transformation, assignment and subscripts are refused, since each can execute text; patterns
 * and replacements are literal text, in which `*` and `?` are the only special characters.
 */
import { type Scanned, sticky } from './scanned.ts';
import type { Parameter } from './shell-list.ts';

/** The parameter at the dollar of `${`; undefined if it is not one that is read. */
export function scanBraced(text: string, at: number): Scanned<Parameter> | undefined {
  const written = sticky(/\$\{#?[A-Za-z_]\w*(?:[:#%/^,-][^{}$`'"\\\n]*)?\}/y, text, at);
  if (written === undefined) return undefined;
  const [, length, name = '', operation = ''] = /^\$\{(#?)([A-Za-z_]\w*)(.*)\}$/s.exec(written) ?? [];
  const end = at + written.length;
  if (length) return operation ? undefined : { value: { name, change: { kind: 'length' } }, end };
  const change = changeOf(operation);
  return change && { value: { name, change }, end };
}

type Change = Parameter['change'];

function changeOf(operation: string): Change | undefined {
  if (operation === '') return { kind: 'none' };
  const replaced = /^\/[/#%]?/.exec(operation)?.[0];
  if (replaced) return replacement(replaced, operation.slice(replaced.length));
  const cased = /^(\^\^?|,,?)$/.exec(operation)?.[0];
  if (cased) {
    const to = cased.startsWith('^') ? 'upper' : 'lower';
    return { kind: 'case', to, count: cased.length === 2 ? 'all' : 'first' };
  }
  const chosen = /^:([-+])(.*)$/s.exec(operation);
  if (chosen) return { kind: chosen[1] === '-' ? 'default' : 'alternative', text: chosen[2] ?? '' };
  // A negative position needs a blank, or it would be a default.
  const slice = /^:(\d{1,6}| -\d{1,6})(?::(\d{1,6}))?$/.exec(operation);
  if (slice)
    return { kind: 'slice', from: Number(slice[1]), length: slice[2] ? Number(slice[2]) : undefined };
  return cutOf(operation);
}

function cutOf(operation: string): Change | undefined {
  const [, from, pattern = ''] = /^(##?|%%?)(.*)$/s.exec(operation) ?? [];
  if (pattern.includes('[')) return undefined;
  if (from !== '#' && from !== '##' && from !== '%' && from !== '%%') return undefined;
  return { kind: 'cut', from, pattern };
}

const places: Readonly<Record<string, 'first' | 'all' | 'start' | 'end'>> = {
  '/': 'first',
  '//': 'all',
  '/#': 'start',
  '/%': 'end',
};

/** `${x/pattern/text}`. In the text, newer versions of bash give `&` a meaning. */
function replacement(operator: string, rest: string): Change | undefined {
  const [pattern = '', by = '', ...more] = rest.split('/');
  const where = places[operator];
  if (where === undefined || more.length > 0 || pattern === '' || /\[/.test(pattern) || by.includes('&'))
    return undefined;
  return { kind: 'replace', where, pattern, by };
}
