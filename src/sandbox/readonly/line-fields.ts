/**
 * Splits a line into variables like `read`.
 *
 * Invariant: separators that are blanks are trimmed and joined, any other separates by itself; the last variable gets
 * the rest of the line.
 */
import type { LineReading } from '../../shell/syntax/shell-list.ts';

/** The lines of an input. What follows the last line end is not read. */
export function inputLines(input: Buffer, end: LineReading['end']): readonly string[] {
  return input.toString('utf8').split(end).slice(0, -1);
}

/** The values of the variables, in the order of their names. */
export function inputFields(
  line: string,
  { names, separators }: Pick<LineReading, 'names' | 'separators'>,
): readonly string[] {
  const isBlank = (character: string | undefined): boolean =>
    character !== undefined && /[ \t\n]/.test(character) && separators.includes(character);
  const isSeparator = (character: string | undefined): boolean =>
    character !== undefined && separators.includes(character);
  let at = 0;
  const skipBlanks = (): void => {
    while (isBlank(line[at])) at += 1;
  };
  const field = (): string => {
    const start = at;
    while (at < line.length && !isSeparator(line[at])) at += 1;
    const text = line.slice(start, at);
    skipBlanks();
    if (isSeparator(line[at])) {
      at += 1;
      skipBlanks();
    }
    return text;
  };
  skipBlanks();
  const fields = names.slice(1).map(field);
  // The last one loses its separator only if nothing else follows.
  const rest = line.slice(at);
  const only = field();
  return [...fields, at >= line.length ? only : withoutBlanks(rest, isBlank)];
}

function withoutBlanks(text: string, isBlank: (character: string | undefined) => boolean): string {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end -= 1;
  return text.slice(0, end);
}
