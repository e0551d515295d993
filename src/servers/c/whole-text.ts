/**
 * The text of a C or C++ file for a server that compiles the preamble, which is everything before the first declaration,
 * without function bodies. With a declaration before the first include there is no preamble: the headers are parsed as a
 * compiler does, and templates of headers can be instantiated.
 *
 * Invariants: the added declaration is valid in every version of C and C++. The declarations of the file keep their lines
 * if there is an empty line before them, since the server also indexes what it is shown.
 */
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import { canonicalUri } from '../../lsp/document.ts';
import type { Range } from '../../text/position.ts';

export interface WholeText {
  readonly text: string;
  /** Where a range of `text` lies in the file. */
  readonly original: (range: Range) => Range;
}

export function wholeTextOf(text: string): WholeText {
  const [mark, body] = text.startsWith(byteOrderMark) ? [byteOrderMark, text.slice(1)] : ['', text];
  const lines = body.split('\n');
  const first = lines.findIndex((line) => !isBlank(line) && !isLineComment(line));
  // A module declaration, or the fragment before it, must be the first declaration.
  if (first < 0 || startsModule(body)) return { text, original: (range) => range };
  const free = lines.slice(0, first).findIndex(isBlank);
  if (free >= 0) return { text: mark + lines.with(free, declaration).join('\n'), original: (range) => range };
  const spare = spareLine(lines);
  const shown = [declaration, ...(spare < 0 ? lines : lines.toSpliced(spare, 1))];
  const lineOf = (line: number): number => (spare >= 0 && line > spare ? line : Math.max(0, line - 1));
  return { text: mark + shown.join('\n'), original: (range) => mapLines(range, lineOf) };
}

/** A diagnostic of the document at the canonical `uri`, at its place in the file. Other files are shown with their own lines. */
export function inOriginal(diagnostic: Diagnostic, uri: string, original: WholeText['original']): Diagnostic {
  const { related } = diagnostic;
  return {
    ...diagnostic,
    range: original(diagnostic.range),
    ...(related && {
      related: related.map((place) =>
        canonicalUri(place.uri) === uri ? { ...place, range: original(place.range) } : place,
      ),
    }),
  };
}

const byteOrderMark = '\uFEFF';

const declaration = 'struct forerun_no_preamble;';

/** Whether a module declaration comes first, after blanks and comments. */
function startsModule(text: string): boolean {
  let at = 0;
  for (let before = -1; at !== before; ) {
    before = at;
    at += text.slice(at).search(/\S|$/);
    if (text.startsWith('//', at)) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at);
  }
  return /^(?:export\s+)?module\b/.test(text.slice(at, at + longestModuleStart));
}

/** After the next `mark`, or after the text. */
function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from + mark.length);
  return found < 0 ? text.length : found + mark.length;
}

/** More blanks between two words are not looked at. */
const longestModuleStart = 200;

/** An empty line among the directives and comments at the top; -1 if there is none. */
function spareLine(lines: readonly string[]): number {
  for (const [place, line] of lines.entries()) {
    const isContinued = lines[place - 1]?.trimEnd().endsWith('\\') === true;
    if (isBlank(line) && !isContinued) return place;
    if (!isContinued && !/^\s*(?:#|\/\/|\/\*|\*)/.test(line)) return -1;
  }
  return -1;
}

/** A comment that ends with its line. By characters: an expression for it takes time with the square of a line's length. */
function isLineComment(line: string): boolean {
  const text = line.trim();
  return text.startsWith('//') && !text.endsWith('\\');
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function mapLines({ start, end }: Range, lineOf: (line: number) => number): Range {
  return {
    start: { ...start, line: lineOf(start.line) },
    end: { ...end, line: lineOf(end.line) },
  };
}
