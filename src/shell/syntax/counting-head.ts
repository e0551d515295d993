/**
 * The head of a loop that counts: `for ((i = 1; i <= 9; i++))`, between numbers that are written out.
 *
 * Invariant: the numbers that the loop goes through are known from the text, and are few.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { ForCommand, ShellWord } from './shell-list.ts';
import type { ShellScanner } from './shell-scanner.ts';

const head =
  /[ \t]*\(\([ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*(\d{1,6})[ \t]*;[ \t]*\1[ \t]*(<=?|>=?)[ \t]*(\d{1,6})[ \t]*;[ \t]*(?:\1[ \t]*(\+\+|--|[-+]=[ \t]*[1-9]\d{0,4})|(\+\+|--)\1)[ \t]*\)\)[ \t]*;?/y;

const maxRounds = 200;

/** The loop whose head stands at the scanner; undefined if it has another form. */
export function readCounting(
  scanner: ShellScanner,
): Pick<ForCommand, 'name' | 'words' | 'after'> | ShellBoundary | undefined {
  const { at } = scanner;
  const found = scanner.takeText(head);
  if (found === undefined) return undefined;
  const [, name = '', first = '', comparison = '', last = '', step = '', prefix = ''] = found;
  const change = stepOf(step || prefix);
  const continues = (value: number): boolean =>
    comparison.startsWith('<')
      ? value < Number(last) || (comparison === '<=' && value === Number(last))
      : value > Number(last) || (comparison === '>=' && value === Number(last));
  const words: ShellWord[] = [];
  let value = Number(first);
  for (; continues(value); value += change) {
    if (words.length >= maxRounds) return boundary('keyword', at, 'a loop counts too far');
    words.push({ text: String(value), at, bare: true, pattern: undefined, respelled: true });
  }
  return { name, words, after: String(value) };
}

function stepOf(written: string): number {
  if (written === '++') return 1;
  if (written === '--') return -1;
  const size = Number(written.slice(2).trim());
  return written.startsWith('+') ? size : -size;
}
