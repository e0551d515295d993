/**
 * Tests in the file that they test.
 *
 * Invariant: only marks of the language itself count; a name is not a mark.
 */
import { languageOf } from '../servers/language.ts';
import type { Position } from '../text/position.ts';
import { type OutlinedFile, symbolsAround } from './outline-cache.ts';

export function isInTestModule({ path, text, index, outline }: OutlinedFile, position: Position): boolean {
  if (languageOf(path) !== 'rust' || !text.includes('#[')) return false;
  return symbolsAround(outline, position).some(({ range, selectionRange }) => {
    // A server may begin a symbol at its attributes or below them.
    const first = Math.max(0, range.start.line - 3);
    const last = Math.min(selectionRange.start.line, index.lineCount - 1);
    const lines = Array.from({ length: last - first }, (_, at) => index.lineText(first + at));
    const attributes = lines.slice(lines.findLastIndex((line) => !/^\s*(?:#\[|\/\/)/.test(line)) + 1);
    return attributes.some((line) => /#\[(?:cfg\(test\)|(?:\w+::)*test\b)/.test(line));
  });
}
