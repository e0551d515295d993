/**
 * Finds the extent of a definition in its text. The ranges of servers differ: some exclude `export const`, some the
 * value, most the semicolon.
 *
 * Invariant: the extent contains the server's range, and does not exceed the statement.
 */
import type { LineIndex } from '../text/position.ts';
import { attachedFrom } from './attached-comment.ts';
import { type CodeSpan, outlineAll } from './code-outline.ts';
import type { CodeSyntax } from './code-syntax.ts';
import type { CodeSymbol } from './symbol.ts';

/** The statement that defines a symbol, from its first modifier to its end. */
export function definitionSpan(index: LineIndex, symbol: CodeSymbol, syntax: CodeSyntax): CodeSpan {
  const range = rangeSpan(index, symbol);
  return {
    start: range.start - modifiersBefore(index, range.start).length,
    end: statementEnd(index, range, symbol, syntax),
  };
}

/** The server's range as offsets. */
export function rangeSpan(index: LineIndex, { range }: CodeSymbol): CodeSpan {
  return { start: index.offsetAt(range.start), end: index.offsetAt(range.end) };
}

/**
 * The text without a symbol: its statement is removed with the comments attached above it and one gap of blank lines;
 * one of several on a line is removed with its comma.
 */
export function withoutSymbol(index: LineIndex, symbol: CodeSymbol, syntax: CodeSyntax): string {
  const { text } = index;
  const listed = listedSpan(index, symbol);
  const span = listed ?? definitionSpan(index, symbol, syntax);
  const [firstLine, lastLine] = [lineOf(index, span.start), lineOf(index, span.end)];
  const before = text.slice(index.lineStart(firstLine), span.start);
  const after = text.slice(span.end, index.lineEnd(lastLine));
  if (before.trim() !== '' || !isNothing(after, syntax)) {
    const spaces = /^[\t ]*/.exec(before.trim() === '' ? after : '')?.[0].length ?? 0;
    return text.slice(0, span.start) + text.slice(span.end + spaces);
  }
  const first = attachedFrom(index, firstLine, syntax);
  const gap = gapToClose(index, first, lastLine);
  const start = index.lineStart(first - gap.above);
  const next = lastLine + 1 + gap.below;
  const end = next < index.lineCount ? index.lineStart(next) : text.length;
  return text.slice(0, start) + text.slice(end);
}

/** The offset for inserting a line above the definition and everything attached to it. */
export function lineAbove(index: LineIndex, symbol: CodeSymbol, syntax: CodeSyntax): number {
  return attachedFrom(index, symbol.range.start.line, syntax);
}

/** The offset after the definition at which a new line may begin. */
export function endBehind(index: LineIndex, symbol: CodeSymbol, syntax: CodeSyntax): number {
  const { end } = definitionSpan(index, symbol, syntax);
  const lineEnd = index.lineEnd(lineOf(index, end));
  const rest = index.text.slice(end, lineEnd);
  return isNothing(rest.replace(/^\s*[,;]/, ''), syntax) ? lineEnd : end;
}

const modifierWords =
  'export|default|declare|const|let|var|type|static|public|private|protected|internal|readonly|async|abstract|final|override|pub|extern|inline|constexpr|val|lazy|mut|unsafe|open';
const modifiers = new RegExp(`(?:(?:${modifierWords})\\s+)+$`);

/** The words before the server's range on the same line that belong to the statement. */
function modifiersBefore(index: LineIndex, start: number): string {
  const line = index.text.slice(index.lineStart(lineOf(index, start)), start);
  const found = modifiers.exec(line)?.[0] ?? '';
  // Words after other code belong to that code.
  return /^[\s;{}]*$/.test(line.slice(0, line.length - found.length)) ? found : '';
}

function statementEnd(index: LineIndex, range: CodeSpan, symbol: CodeSymbol, syntax: CodeSyntax): number {
  const { text } = index;
  const isNameOnly = range.end <= index.offsetAt(symbol.selectionRange.end);
  const end = isNameOnly ? valueEnd(index, range.end, syntax) : range.end;
  const semicolon = /^[\t ]*;/.exec(text.slice(end, end + 80));
  return end + (semicolon?.[0].length ?? 0);
}

/** The end of the logical line: brackets and strings may extend it over several. */
function valueEnd(index: LineIndex, from: number, syntax: CodeSyntax): number {
  const { text } = index;
  for (let line = lineOf(index, from); line < index.lineCount; line++) {
    const end = index.lineEnd(line);
    const pieces = outlineAll(text, { start: from, end }, syntax);
    if (!pieces || text.slice(from, end).endsWith('\\')) continue;
    const last = pieces.findLast(({ kind }) => kind !== 'comment');
    return last?.text === ';' && last.kind === 'mark' ? last.start : (last?.end ?? from);
  }
  return from;
}

/** One of several comma-separated items on a line, with the comma that is removed with it. */
function listedSpan(index: LineIndex, symbol: CodeSymbol): CodeSpan | undefined {
  const { text } = index;
  const range = rangeSpan(index, symbol);
  const name = index.offsetAt(symbol.selectionRange.start);
  const line = lineOf(index, range.end);
  const comma = /^\s*,[\t ]*/.exec(text.slice(range.end, index.lineEnd(line)));
  const lead = text.slice(index.lineStart(lineOf(index, name)), name);
  const isOwnLine =
    lead.trim() === '' || text.slice(index.lineStart(lineOf(index, range.start)), range.start).trim() === '';
  if (comma && (!isOwnLine || lead.trim() !== '')) {
    // Declarators share the words before the first of them, which servers count as part of each.
    return {
      start: lead.trim() !== '' && symbol.kind === variableKind ? name : range.start,
      end: range.end + comma[0].length,
    };
  }
  if (comma) return { start: range.start, end: range.end + comma[0].trimEnd().length };
  const behind = /,\s*$/.exec(lead);
  return behind ? { start: name - behind[0].length, end: range.end } : undefined;
}

const variableKind = 13;

/** The number of blank lines that become superfluous once the definition is removed. */
function gapToClose(
  index: LineIndex,
  first: number,
  last: number,
): { readonly above: number; readonly below: number } {
  const isBlank = (line: number): boolean => index.lineText(line).trim() === '';
  let above = 0;
  while (first - above > 0 && isBlank(first - above - 1)) above++;
  let below = 0;
  while (last + 1 + below < index.lineCount && isBlank(last + 1 + below)) below++;
  // The empty line after the last newline is the end of the file, not a gap.
  const isAtEnd = last + 1 + below >= index.lineCount;
  if (isAtEnd) return { above, below: Math.max(0, below - 1) };
  const isAtStart = first - above <= 0 || /[{([:]$/.test(index.lineText(first - above - 1).trimEnd());
  const isLastInside = /^\s*[}\])]/.test(index.lineText(last + 1 + below));
  if (isLastInside) return { above, below };
  return { above: 0, below: isAtStart ? below : Math.min(above, below) };
}

/** Whether only white space or a comment is left. */
function isNothing(rest: string, syntax: CodeSyntax): boolean {
  const pieces = outlineAll(rest, { start: 0, end: rest.length }, syntax);
  return pieces?.every(({ kind }) => kind === 'comment') ?? false;
}

function lineOf(index: LineIndex, offset: number): number {
  return index.positionAt(offset).line;
}
