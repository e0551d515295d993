/**
 * Splits code into its top-level pieces: words, operators, strings, and bracketed groups.
 *
 * Invariant: brackets inside strings and comments are ignored; if brackets do not match, or the span ends inside one,
 * there is no outline rather than a wrong one.
 */
import type { CodeSyntax } from './code-syntax.ts';

/** One piece, by its start offset and its exclusive end offset. */
export interface Piece {
  readonly kind: 'word' | 'mark' | 'string' | 'comment' | 'group';
  readonly start: number;
  readonly end: number;
  /** The text of a word or operator; the opening bracket of a group. */
  readonly text: string;
}

/** A range of a text by offsets. */
export interface CodeSpan {
  readonly start: number;
  readonly end: number;
}

/** The pieces of a span without comments; undefined if its brackets do not match. */
export function outlineCode(text: string, span: CodeSpan, syntax: CodeSyntax): readonly Piece[] | undefined {
  return outlineAll(text, span, syntax)?.filter(({ kind }) => kind !== 'comment');
}

/** Like `outlineCode`, with comments. */
export function outlineAll(text: string, span: CodeSpan, syntax: CodeSyntax): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  const open: Piece[] = [];
  const end = Math.min(span.end, text.length);
  let before: Piece | undefined;
  for (let at = span.start; at < end; ) {
    const piece = nextPiece({ text, at, end, syntax, before });
    at = piece.end;
    if (piece.kind === 'mark' && piece.text.trim() === '') continue;
    if (piece.kind !== 'comment') before = piece;
    const added = addedAtTop(piece, open);
    if (added === 'mismatch') return undefined;
    if (added !== 'nothing') pieces.push(added);
  }
  return open.length > 0 || (before && before.end > end) ? undefined : pieces;
}

/** The top-level piece that this piece completes: itself, or the group that it closes. Updates `open`. */
function addedAtTop(piece: Piece, open: Piece[]): Piece | 'nothing' | 'mismatch' {
  if (piece.kind === 'mark' && Object.hasOwn(closers, piece.text)) {
    open.push(piece);
    return 'nothing';
  }
  if (piece.kind !== 'mark' || !closing.has(piece.text)) return open.length === 0 ? piece : 'nothing';
  const opener = open.pop();
  if (!opener || closers[opener.text] !== piece.text) return 'mismatch';
  return open.length === 0 ? { ...opener, kind: 'group', end: piece.end } : 'nothing';
}

/** The strings of a text that span several lines, at any depth; one that is a whole statement is documentation. */
export function multilineStrings(text: string, syntax: CodeSyntax): readonly CodeSpan[] {
  const spans: CodeSpan[] = [];
  let before: Piece | undefined;
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const piece = nextPiece({ text, at, end: text.length, syntax, before });
    at = piece.end;
    if (Object.hasOwn(closers, piece.text)) depth++;
    if (closing.has(piece.text)) depth--;
    if (piece.kind === 'string' && text.slice(piece.start, piece.end).includes('\n')) {
      const line = text.slice(text.lastIndexOf('\n', piece.start) + 1, piece.start);
      const documents = syntax.block === 'indentation' && depth === 0 && line.trim() === '';
      if (!documents) spans.push(piece);
    }
    if (piece.kind !== 'comment' && piece.text.trim() !== '') before = piece;
  }
  return spans;
}

interface Reading {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly syntax: CodeSyntax;
  /** The previous piece, which distinguishes a division from a regular expression. */
  readonly before: Piece | undefined;
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const closing: ReadonlySet<string> = new Set(Object.values(closers));

/** Operators of several characters that differ from their parts. */
const compounds = ['===', '!==', '=>', '==', '!=', '<=', '>=', '->', '::', ':=', '??', '||', '&&'];

const wordPattern = /[\p{L}\p{N}_$]+/uy;

function nextPiece(reading: Reading): Piece {
  const { text, at } = reading;
  const end = commentEnd(reading);
  if (end !== undefined) return { kind: 'comment', start: at, end, text: '' };
  const stringTo = stringEnd(reading);
  if (stringTo !== undefined) return { kind: 'string', start: at, end: stringTo, text: '"' };
  wordPattern.lastIndex = at;
  const word = wordPattern.exec(text)?.[0];
  if (word !== undefined) return { kind: 'word', start: at, end: at + word.length, text: word };
  const mark = compounds.find((compound) => text.startsWith(compound, at)) ?? text.charAt(at);
  return { kind: 'mark', start: at, end: at + mark.length, text: mark };
}

function commentEnd(reading: Reading): number | undefined {
  const { text, at, end, syntax } = reading;
  const { blockComment, lineComments } = syntax;
  if (blockComment && text.startsWith(blockComment.open, at)) return blockCommentEnd(reading, blockComment);
  // An attribute may look like a comment: in PHP and Rust it begins with a hash and a bracket.
  const isComment = lineComments.some((open) => text.startsWith(open, at)) && !text.startsWith('#[', at);
  if (!isComment) return undefined;
  const newline = text.indexOf('\n', at);
  return newline < 0 ? end : Math.min(newline, end);
}

function blockCommentEnd(
  { text, at, end }: Reading,
  { open, close, nests }: NonNullable<CodeSyntax['blockComment']>,
): number {
  let depth = 1;
  for (let next = at + open.length; next < end; next++) {
    if (text.startsWith(close, next)) depth--;
    else if (nests && text.startsWith(open, next)) depth++;
    if (depth === 0) return next + close.length;
  }
  return end;
}

function stringEnd(reading: Reading): number | undefined {
  const { text, at, syntax, before } = reading;
  const character = text.charAt(at);
  const triple = tripleQuote(reading);
  if (triple !== undefined) return closedBy(reading, triple, at + 3);
  switch (character) {
    case '"':
      return quoted(reading);
    case "'":
      return syntax.singleQuote === 'string' ? quoted(reading) : characterEnd(text, at);
    case '`':
      return backtickEnd(reading);
    case '/':
      return syntax.hasRegularExpressions && mayBeginExpression(before)
        ? regularExpressionEnd(text, at)
        : undefined;
    case 'r':
      return syntax.hasRawHashStrings ? rawStringEnd(reading) : undefined;
    default:
      return undefined;
  }
}

function tripleQuote({ text, at, syntax }: Reading): string | undefined {
  if (!syntax.hasTripleQuotes) return undefined;
  return ['"""', "'''"].find((quote) => text.startsWith(quote, at));
}

function backtickEnd(reading: Reading): number | undefined {
  const { at, syntax } = reading;
  if (syntax.backtick === 'raw') return closedBy(reading, '`', at + 1);
  return syntax.backtick === 'template' ? templateEnd(reading, at + 1) : undefined;
}

/** `r"…"` and `r#"…"#`; inside a word the letter has no meaning. */
function rawStringEnd(reading: Reading): number | undefined {
  const { text, at, before } = reading;
  if (before?.end === at && before.kind === 'word') return undefined;
  const opener = /^r(#*)"/.exec(text.slice(at, at + 20));
  return opener ? closedBy(reading, `"${opener[1] ?? ''}`, at + opener[0].length) : undefined;
}

function closedBy({ text, end }: Reading, closer: string, from: number): number {
  const found = text.indexOf(closer, from);
  return found < 0 ? end + 1 : found + closer.length;
}

/** A quoted string; without its closing quote it ends with the line. */
function quoted({ text, at }: Reading): number {
  const quote = text.charAt(at);
  for (let next = at + 1; next < text.length; next++) {
    const character = text.charAt(next);
    if (character === '\\') next++;
    else if (character === quote) return next + 1;
    else if (character === '\n') return next;
  }
  return text.length;
}

/** `'x'` or `'\n'`; any other single quote is a mark, such as that of a lifetime. */
function characterEnd(text: string, at: number): number | undefined {
  const literal = /^'(?:\\[^\n]{1,9}?|[^\\'\n]{1,2})'/u.exec(text.slice(at, at + 14));
  return literal ? at + literal[0].length : undefined;
}

function templateEnd(reading: Reading, from: number): number {
  const { text, end } = reading;
  for (let at = from; at < end; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (character === '`') return at + 1;
    else if (text.startsWith('${', at)) at = substitutionEnd(reading, at + 2) - 1;
  }
  return end + 1;
}

/** The exclusive end of a template substitution. */
function substitutionEnd({ text, end, syntax }: Reading, from: number): number {
  let depth = 1;
  let before: Piece | undefined;
  let at = from;
  while (at < end && depth > 0) {
    const piece = nextPiece({ text, at, end, syntax, before });
    if (piece.text === '{') depth++;
    if (piece.text === '}') depth--;
    before = piece;
    at = piece.end;
  }
  return at;
}

/** After a value a slash divides; after anything else it begins a regular expression. */
function mayBeginExpression(before: Piece | undefined): boolean {
  if (!before) return true;
  if (before.kind === 'word')
    return /^(return|typeof|case|in|of|do|else|void|throw|await|yield)$/.test(before.text);
  if (before.kind === 'string') return false;
  return !closing.has(before.text);
}

function regularExpressionEnd(text: string, at: number): number | undefined {
  const literal = /^\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/u.exec(
    text.slice(at, at + 2000),
  );
  return literal ? at + literal[0].length : undefined;
}
