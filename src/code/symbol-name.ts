/**
 * Finds the name of a symbol in its text.
 *
 * Invariant: the result lies inside the symbol and covers exactly its name, or is the server's range.
 */
import type { LineIndex, Position, Range } from '../text/position.ts';

/** The identifier of a symbol, on the line of the server's range. */
export function nameRange(
  index: LineIndex,
  symbol: { readonly name: string; readonly range: Range; readonly selectionRange: Range },
): Range {
  const { selectionRange, range } = symbol;
  const { line, character } = selectionRange.start;
  const name = bareName(symbol.name);
  if (name === '' || line >= index.lineCount) return selectionRange;
  const text = index.lineText(line);
  const isOneLine = selectionRange.end.line === line;
  if (isOneLine && text.slice(character, selectionRange.end.character) === name) return selectionRange;
  const from = line === range.start.line ? Math.min(range.start.character, character) : 0;
  const at = wordAt(text, name, character) ?? wordAt(text, name, from);
  if (at === undefined) return selectionRange;
  return { start: { line, character: at }, end: { line, character: at + name.length } };
}

/**
 * The identifier without additions of servers: the receiver of a Go method, the path of a C++ one, parameters,
 * quotes.
 */
export function bareName(name: string): string {
  const words = name
    .replace(/<.*>|\(.*\)$|\[.*\]$/g, '')
    .split(/\.|::|#|\s+/)
    .map((part) => part.replace(/^[^\p{L}\p{N}_$~]+|[^\p{L}\p{N}_$]+$/gu, ''));
  return words.findLast((word) => word !== '') ?? '';
}

/** The identifier that contains a position or ends there. */
export function identifierAt(index: LineIndex, { line, character }: Position): string | undefined {
  if (line >= index.lineCount) return undefined;
  for (const match of index.lineText(line).matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const end = match.index + match[0].length;
    if (match.index <= character && character <= end) return match[0];
  }
  return undefined;
}

/** The first column at or after `from` at which `name` is a whole word. */
function wordAt(text: string, name: string, from: number): number | undefined {
  for (let at = text.indexOf(name, from); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    const after = text.slice(at + name.length).at(0) ?? '';
    if (!wordCharacter.test(before) && !wordCharacter.test(after)) return at;
  }
  return undefined;
}

const wordCharacter = /[\p{L}\p{N}_$]/u;
