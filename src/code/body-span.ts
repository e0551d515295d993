/**
 * Finds the body of a definition in its text.
 *
 * Invariant: the text before the span is exactly the signature; if that is not certain there is no span, so that
 * nothing is cut by a guess.
 */
import type { LineIndex } from '../text/position.ts';
import { type CodeSpan, outlineCode, type Piece } from './code-outline.ts';
import type { CodeSyntax } from './code-syntax.ts';
import type { CodeSymbol } from './symbol.ts';
import { definitionSpan } from './symbol-extent.ts';

export interface Body {
  /** The inside of the braces, the lines after the signature, or the value itself. */
  readonly span: CodeSpan;
  readonly shape: 'braces' | 'indented' | 'end-keyword' | 'expression';
}

export function bodyOf(index: LineIndex, symbol: CodeSymbol, syntax: CodeSyntax): Body | undefined {
  const { end } = definitionSpan(index, symbol, syntax);
  const nameEnd = index.offsetAt(symbol.selectionRange.end);
  const pieces = outlineCode(index.text, { start: nameEnd, end }, syntax);
  if (!pieces) return undefined;
  switch (syntax.block) {
    case 'braces':
      return bracedBody(index.text, withoutEnd(pieces), syntax);
    case 'indentation':
      return indentedBody(index, symbol, { pieces, end });
    case 'end-keyword':
      return keywordBody(index, { pieces, nameEnd, end });
  }
}

/** The semicolon of a statement, or the comma after a member, is not part of its body. */
function withoutEnd(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.at(-1);
  return last?.text === ';' || last?.text === ',' ? pieces.slice(0, -1) : pieces;
}

function bracedBody(text: string, pieces: readonly Piece[], syntax: CodeSyntax): Body | undefined {
  const last = pieces.at(-1);
  if (!last) return undefined;
  const equals = pieces.findIndex(({ text: mark }) => mark === '=');
  const value = equals < 0 ? [] : pieces.slice(equals + 1);
  if (last.text === '{' && last.kind === 'group') {
    const before = pieces.at(-2);
    const isAlternative = before?.kind === 'mark' && /^([?:+,]|\?\?|\|\||&&)$/.test(before.text);
    if (!isAlternative) return inside(last);
    return value.length > 0 ? expression(value) : undefined;
  }
  const wrapped = last.text === '(' && value.length > 0 ? wrappedFunction(text, last, syntax) : undefined;
  if (wrapped) return inside(wrapped);
  const from = value.length > 0 ? value : pieces;
  const arrow = from.findIndex(({ text: mark }) => mark === '=>');
  if (arrow >= 0) return expression(from.slice(arrow + 1));
  return value.length > 0 ? expression(value) : undefined;
}

/** A function passed to another one, as in `const f = memo((a) => { … })`. */
function wrappedFunction(text: string, call: Piece, syntax: CodeSyntax): Piece | undefined {
  const pieces = outlineCode(text, { start: call.start + 1, end: call.end - 1 }, syntax) ?? [];
  const at = pieces.findIndex(
    ({ kind, text: open }, index) =>
      kind === 'group' && open === '{' && /^(=>|\()$/.test(pieces[index - 1]?.text ?? ''),
  );
  return pieces[at];
}

function inside(group: Piece): Body {
  return { span: { start: group.start + 1, end: group.end - 1 }, shape: 'braces' };
}

function expression(pieces: readonly Piece[]): Body | undefined {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) return undefined;
  return { span: { start: first.start, end: last.end }, shape: 'expression' };
}

interface Outline {
  readonly pieces: readonly Piece[];
  readonly end: number;
}

function indentedBody(index: LineIndex, symbol: CodeSymbol, { pieces, end }: Outline): Body | undefined {
  const { text } = index;
  const name = index.offsetAt(symbol.selectionRange.start);
  const isBlock = /\b(def|class)\s+$/.test(text.slice(Math.max(0, name - 40), name));
  if (!isBlock) {
    const equals = pieces.findIndex(({ text: mark }) => mark === '=');
    return equals < 0 ? undefined : expression(pieces.slice(equals + 1));
  }
  const colon = pieces.find(({ text: mark }) => mark === ':');
  if (!colon) return undefined;
  const lineEnd = index.lineEnd(index.positionAt(colon.end).line);
  // A comment after the colon belongs to the signature.
  const isAlone = /^\s*(#.*)?$/.test(text.slice(colon.end, lineEnd));
  return { span: { start: isAlone ? lineEnd : colon.end, end }, shape: 'indented' };
}

function keywordBody(
  index: LineIndex,
  { pieces, nameEnd, end }: Outline & { readonly nameEnd: number },
): Body | undefined {
  const { text } = index;
  const closing = /(\n[\t ]*)end\s*$/.exec(text.slice(nameEnd, end));
  if (!closing) return undefined;
  const parameters = pieces[0]?.kind === 'group' && pieces[0].text === '(' ? pieces[0].end : nameEnd;
  const start = index.lineEnd(index.positionAt(parameters).line);
  const stop = nameEnd + closing.index + (closing[1]?.length ?? 0);
  return start < stop ? { span: { start, end: stop }, shape: 'end-keyword' } : undefined;
}
