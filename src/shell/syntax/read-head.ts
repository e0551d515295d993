/**
 * The head of a loop over lines: `read`, with or without `-r` and an `IFS=` that keeps blanks.
 *
 * Invariant: only the input is read, and only plain names are set.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { ShellCommand } from './shell-list.ts';

export interface ReadHead {
  readonly names: readonly string[];
  readonly trims: boolean;
}

export function readHead({
  argv,
  assignments,
  input,
  redirects,
  at,
}: ShellCommand): ReadHead | ShellBoundary {
  const refuse = (): ShellBoundary => boundary('keyword', at, 'only `while read -r name` is read');
  const [name, ...rest] = argv;
  const [separator, ...others] = assignments;
  if (name?.text !== 'read' || others.length > 0 || input || redirects.length > 0) return refuse();
  if (separator && (separator.name !== 'IFS' || separator.value.text !== '' || separator.value.parts))
    return refuse();
  const words = rest.map(({ text }) => text);
  const names = words[0] === '-r' ? words.slice(1) : words;
  const isPlain = rest.every(({ bare, pattern, parts }) => bare && !pattern && !parts);
  if (!isPlain || names.length === 0 || names.some((each) => !/^[A-Za-z_]\w*$/.test(each))) return refuse();
  // Without -r, backslashes would be removed.
  if (words[0] !== '-r' && names.length > 3) return refuse();
  return { names, trims: separator === undefined };
}
