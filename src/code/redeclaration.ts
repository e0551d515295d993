/**
 * Whether a piece of code is a whole definition of a symbol, or only its body.
 *
 * Invariant: a call of the symbol, or a local variable that shadows it, is not a definition of it.
 */
import { outlineCode, type Piece } from './code-outline.ts';
import type { CodeSyntax } from './code-syntax.ts';
import type { CodeSymbol } from './symbol.ts';
import { bareName } from './symbol-name.ts';

/** The existing declaration of the symbol. */
interface DeclaredSymbol {
  readonly symbol: CodeSymbol;
  /** The text from the start of its definition to its name. */
  readonly lead: string;
  /** The character after its name, without white space. */
  readonly follower: string;
}

/** Whether `code` declares the symbol again. */
export function redeclares(code: string, declared: DeclaredSymbol, syntax: CodeSyntax): boolean {
  const pieces = outlineCode(code, { start: 0, end: code.length }, syntax);
  if (!pieces) return false;
  const start = declarationStart(pieces, code);
  const head = pieces.slice(start);
  const name = bareName(declared.symbol.name);
  const at = head.findIndex((piece) => piece.kind === 'word' && piece.text === name);
  if (at < 0) return isNameless(declared) && leadsAlike(head, declared, syntax);
  const lead = head.slice(0, at);
  if (lead.some((piece, index) => isStatement(piece, lead[index + 1]))) return false;
  if (code.slice(head[0]?.start ?? 0, head[at]?.start).includes('\n\n')) return false;
  const behind = head.slice(at + 1);
  if (lead.length === 0) return declaresBare(behind, declared);
  const words = lead.filter(({ kind }) => kind === 'word').map(({ text }) => text);
  if (words.some((word) => definingWords.has(word))) return true;
  if (words.some((word) => bindingWords.has(word))) return bindsLike(behind, declared);
  // A type before the name: a definition has a body after its parameters, a statement has none.
  return words.length > 0 && hasBodyBehind(behind);
}

const definingWords: ReadonlySet<string> = new Set(
  'function def class func fn fun type interface struct enum trait impl mod module namespace record object protocol extension union defp defmodule constructor macro_rules typedef'.split(
    ' ',
  ),
);

const bindingWords: ReadonlySet<string> = new Set(['const', 'let', 'var', 'val', 'static', 'local']);

const statementWords: ReadonlySet<string> = new Set(
  'return await throw new yield else case typeof delete in of if while for not and or go defer print raise assert switch match with try import from use using'.split(
    ' ',
  ),
);

/** Skips decorators and attributes before the definition. */
function declarationStart(pieces: readonly Piece[], code: string): number {
  let at = 0;
  while (pieces[at]?.text === '@' || (pieces[at]?.text === '#' && pieces[at + 1]?.text === '[')) {
    at += 2;
    // The name of a decorator may be dotted, and its arguments follow without a space.
    while (pieces[at] && code.slice(pieces[at - 1]?.end, pieces[at]?.start) === '') at++;
  }
  return at;
}

function isStatement(piece: Piece, next: Piece | undefined): boolean {
  if (piece.kind === 'word') return statementWords.has(piece.text);
  if (piece.kind === 'string') return next?.text !== '{' && !/^[a-z]/i.test(next?.text ?? '');
  return ['=', '.', ';', '=>', ':=', '==', '+', '-', '!', '?', '??', '||', '&&'].includes(piece.text);
}

/** A name with nothing before it declares a method, or a field if the symbol is declared like that. */
function declaresBare(behind: readonly Piece[], { lead, follower }: DeclaredSymbol): boolean {
  const next = behind.find(({ text }) => text !== '?' && text !== '!');
  if (next?.text === '(' || next?.text === '<') return hasBodyBehind(behind);
  const stoodBare = lead.trim() === '' || !/\b(function|def|fn|func|class)\b/.test(lead);
  const isValue = next?.text === '=' || next?.text === ':' || next?.text === ':=';
  return isValue && stoodBare && (follower === '=' || follower === ':');
}

/** Parameters, followed by a body of the definition. */
function hasBodyBehind(behind: readonly Piece[]): boolean {
  const parameters = behind.findIndex(({ kind, text }) => kind === 'group' && text === '(');
  if (parameters < 0) return behind.some(({ kind, text }) => kind === 'group' && text === '{');
  const rest = behind.slice(parameters + 1);
  const end = rest.findIndex(({ text }) => text === ';');
  const own = end < 0 ? rest : rest.slice(0, end);
  return own.some(({ kind, text }) => (kind === 'group' && text === '{') || text === '=>' || text === ':');
}

/** `const f = …` redeclares a function only if it binds one; it always redeclares a variable. */
function bindsLike(behind: readonly Piece[], { symbol }: DeclaredSymbol): boolean {
  if (!functionKinds.has(symbol.kind)) return true;
  return behind.some(({ text }) => text === '=>' || text === 'function');
}

/** Methods, constructors and functions, as SymbolKind numbers. */
const functionKinds: ReadonlySet<number> = new Set([6, 9, 12]);

/** `impl T`, an anonymous default export: there is no name to search for, so the first words decide. */
function isNameless({ symbol }: DeclaredSymbol): boolean {
  return symbol.name === 'default' || /^impl\b/.test(symbol.name);
}

function leadsAlike(head: readonly Piece[], { lead }: DeclaredSymbol, syntax: CodeSyntax): boolean {
  const [first] = outlineCode(lead, { start: 0, end: lead.length }, syntax) ?? [];
  return first !== undefined && head[0]?.text === first.text;
}
