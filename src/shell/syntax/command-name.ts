/**
 * The name of a command.
 *
 * Invariant: an accepted name is neither an assignment nor a keyword, and its meaning does not depend on quotes,
 * patterns or directories.
 */
import { type BoundaryRule, boundary, type ShellBoundary } from '../boundary.ts';
import type { ShellWord } from './shell-list.ts';

/** Why a word cannot be the name of a command: it must be literal, so that it has no other meaning. */
export function refuseName({
  text,
  at,
  bare,
  pattern,
  parts,
  respelled,
}: ShellWord): ShellBoundary | undefined {
  const refuse = (rule: BoundaryRule, why: string) => boundary(rule, at, why);
  if (/^[A-Za-z_]\w*\+?=/.test(text)) return refuse('assignment', 'a variable would be set');
  if (keywords.has(text)) return refuse('keyword', `${text} belongs to the shell's own language`);
  if (!bare || pattern || parts || respelled)
    return refuse('command-name', 'the name of a command must be written plainly');
  if (text.includes('/')) return refuse('command-name', 'a command is named without a path');
  return undefined;
}

/** Keywords, and the builtins whose arguments are parsed as assignments. */
const keywords: ReadonlySet<string> = new Set([
  ...'if then else elif fi for while until do done case esac select function time coproc in ! [[ ]] { }'.split(
    ' ',
  ),
  ...'alias declare eval export let local readonly typeset'.split(' '),
]);
