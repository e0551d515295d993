/**
 * Replaces the body of a definition, or the whole definition.
 *
 * The new code may be the whole definition, or only its body: the part between its braces, below its first line or
 * after its equals sign. If it declares the symbol again, it is the whole definition.
 *
 * Invariant: if only the body is given, the signature stays byte for byte; line ends are those of the file.
 */
import { Failure } from '../base/failure.ts';
import { withEndingsOf } from '../text/line-ending.ts';
import { LineIndex } from '../text/position.ts';
import { attachedFrom } from './attached-comment.ts';
import { type Body, bodyOf } from './body-span.ts';
import { type CodeSpan, outlineCode } from './code-outline.ts';
import type { CodeSyntax } from './code-syntax.ts';
import { indentationOf, indentationUnit, reindent } from './indentation.ts';
import { redeclares } from './redeclaration.ts';
import type { CodeSymbol } from './symbol.ts';
import { definitionSpan, rangeSpan } from './symbol-extent.ts';

/** The text with the symbol's body replaced; throws `NoBody` if it has none. */
export function replaceBody(text: string, symbol: CodeSymbol, code: string, syntax: CodeSyntax): string {
  const index = new LineIndex(text);
  const { span, text: replacement } = replacementOf(index, symbol, code, syntax);
  return text.slice(0, span.start) + withEndingsOf(replacement, text) + text.slice(span.end);
}

/** Whether the symbol has a body that can be replaced on its own. */
export function hasBody(text: string, symbol: CodeSymbol, syntax: CodeSyntax): boolean {
  return bodyOf(new LineIndex(text), symbol, syntax) !== undefined;
}

interface Replacement {
  readonly span: CodeSpan;
  readonly text: string;
}

function replacementOf(index: LineIndex, symbol: CodeSymbol, code: string, syntax: CodeSyntax): Replacement {
  const definition = definitionSpan(index, symbol, syntax);
  const nameEnd = index.offsetAt(symbol.selectionRange.end);
  const lead = index.text.slice(definition.start, index.offsetAt(symbol.selectionRange.start));
  const follower = index.text.slice(nameEnd).trimStart().charAt(0);
  if (redeclares(code, { symbol, lead, follower }, syntax)) return wholeOf(index, symbol, code, syntax);
  const body = bodyOf(index, symbol, syntax);
  if (!body) throw new NoBody(symbol.name);
  return bodyText(index, symbol, { body, code, syntax });
}

/** Replaces the whole definition; comments and modifiers in the new code replace the existing ones. */
function wholeOf(index: LineIndex, symbol: CodeSymbol, code: string, syntax: CodeSyntax): Replacement {
  const { text } = index;
  const range = rangeSpan(index, symbol);
  const definition = definitionSpan(index, symbol, syntax);
  const line = index.positionAt(definition.start).line;
  const indentation = indentationOf(index.lineText(line));
  const given = reindent(trimBlankLines(code), indentation, syntax).slice(indentation.length);
  const start = bringsLead(given, syntax)
    ? leadStart(index, line, syntax)
    : firstSharedWord(text.slice(definition.start, range.start), given) + definition.start;
  const keepsSemicolon =
    text[definition.end - 1] === ';' && definition.end > range.end && !/[;}]\s*$/.test(given);
  return { span: { start, end: keepsSemicolon ? range.end : definition.end }, text: given };
}

/** Comments and annotations above are replaced only if the new code begins with some. */
function bringsLead(code: string, syntax: CodeSyntax): boolean {
  const openers = [...syntax.lineComments, ...syntax.annotations, syntax.blockComment?.open ?? ''];
  return openers.some((open) => open !== '' && code.startsWith(open));
}

function leadStart(index: LineIndex, line: number, syntax: CodeSyntax): number {
  const first = attachedFrom(index, line, syntax);
  return index.lineStart(first) + indentationOf(index.lineText(first)).length;
}

/** Of `export const `, the part that the code repeats is replaced, and the rest stays. */
function firstSharedWord(modifiers: string, code: string): number {
  const [first = ''] = /^\w+/.exec(code) ?? [];
  const at = first === '' ? -1 : modifiers.search(new RegExp(`\\b${first}\\b`));
  return at < 0 ? modifiers.length : at;
}

interface BodyRequest {
  readonly body: Body;
  readonly code: string;
  readonly syntax: CodeSyntax;
}

function bodyText(index: LineIndex, symbol: CodeSymbol, request: BodyRequest): Replacement {
  const { body, syntax } = request;
  const { text } = index;
  const old = text.slice(body.span.start, body.span.end);
  const code = trimBlankLines(body.shape === 'braces' ? withoutBraces(request.code, syntax) : request.code);
  const outer = indentationOf(index.lineText(outerLine(index, symbol, body)));
  if (body.shape === 'expression') {
    const given = reindent(code.trim(), outer, syntax).slice(outer.length).replace(/;$/, '');
    return { span: body.span, text: given };
  }
  const isOneLine = body.shape === 'braces' && !old.includes('\n') && !code.includes('\n');
  if (isOneLine) return { span: body.span, text: ` ${code.trim()} ` };
  const inner = innerIndentation(old, outer) ?? outer + indentationUnit(text);
  const block = reindent(code, inner, syntax);
  const closing = body.shape === 'indented' ? '' : `\n${outer}`;
  return { span: body.span, text: `\n${block}${closing}` };
}

/** The line that determines the indentation: that of the closing bracket if it begins a line. */
function outerLine(index: LineIndex, symbol: CodeSymbol, { shape, span }: Body): number {
  const closing = index.positionAt(span.end).line;
  const isOwn = shape === 'braces' && /^\s*[}\]]/.test(index.lineText(closing));
  return isOwn ? closing : symbol.selectionRange.start.line;
}

/** The indentation of the old body, if it has its own lines. */
function innerIndentation(old: string, outer: string): string | undefined {
  const line = old
    .split('\n')
    .slice(1)
    .find((each) => each.trim() !== '');
  const found = line === undefined ? undefined : indentationOf(line);
  return found !== undefined && found.length > outer.length ? found : undefined;
}

/** Removes the braces around a given body. */
function withoutBraces(code: string, syntax: CodeSyntax): string {
  const pieces = outlineCode(code, { start: 0, end: code.length }, syntax);
  const [only, ...more] = pieces ?? [];
  if (only?.kind !== 'group' || only.text !== '{' || more.length > 0) return code;
  return code.slice(only.start + 1, only.end - 1);
}

function trimBlankLines(code: string): string {
  return code.replace(/^(?:[\t ]*\r?\n)+/, '').replace(/\s+$/, '');
}

class NoBody extends Failure {
  readonly code = 'code/no-body';
  readonly remedy = 'Give the whole definition, beginning with its declaration, or choose another symbol.';

  constructor(name: string) {
    super(`symbol "${name}" has no body that could be replaced on its own`);
  }
}
