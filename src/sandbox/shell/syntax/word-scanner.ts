/**
 * Reads one word: plain characters, quotes, escapes and wildcards.
 *
 * Invariant: the text of a word is what bash would pass on, and no character in it was left for bash to expand.
 */
import { type BoundaryRule, boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { Scanned } from './scanned.ts';
import type { ShellWord, WordPiece } from './shell-list.ts';

/** The word that starts at `at`, up to the next blank or operator. */
export function scanWord(text: string, at: number): Scanned<ShellWord> | ShellBoundary {
  const pieces = new Pieces();
  let bare = true;
  let end = at;
  while (end < text.length && !isWordEnd(text[end])) {
    const part = scanPart(text, end, at);
    if (isBoundary(part)) return part;
    pieces.add(part.piece);
    bare &&= part.bare;
    end = part.end;
  }
  return { value: { at, bare, ...pieces.finish() }, end };
}

/** Whether a word ends before this character. */
export function isWordEnd(character: string | undefined): boolean {
  return character === undefined || ' \t\n|&;<>()'.includes(character);
}

interface Part {
  readonly piece: WordPiece;
  readonly end: number;
  readonly bare: boolean;
}

function scanPart(text: string, at: number, wordStart: number): Part | ShellBoundary {
  const character = text[at] ?? '';
  if (character === "'") return scanSingleQuotes(text, at);
  if (character === '"') return scanDoubleQuotes(text, at);
  if (character === '\\') return scanEscape(text, at);
  if (character === '*' || character === '?') {
    return { piece: { wildcard: character }, end: at + 1, bare: true };
  }
  const end = plainEnd(text, at, wordStart);
  if (end > at) return { piece: { literal: text.slice(at, end) }, end, bare: true };
  const [rule, why] = refusedCharacters[character] ?? ['operator', `${character} is not read outside quotes`];
  return boundary(rule, at, why);
}

/** Where the plain characters from `at` end; `at` itself when there is none. */
function plainEnd(text: string, at: number, wordStart: number): number {
  plain.lastIndex = at;
  const run = plain.exec(text)?.[0].length ?? 0;
  return at + (run || literalHere(text, at, wordStart));
}

const plain = /(?:[A-Za-z0-9_\-./:,=+@%^\]]|[^\0-\x7f])+/uy;

/** The length of a character that is special elsewhere but means itself at this place; 0 when it does not. */
function literalHere(text: string, at: number, wordStart: number): number {
  const [before, character, after] = [text[at - 1] ?? '', text[at], text[at + 1]];
  const isStart = at === wordStart;
  // A comment starts with a word only.
  if (character === '#') return isStart ? 0 : 1;
  // The test command; as a pattern it would need its closing bracket.
  if (character === '[') return isStart && isWordEnd(after) ? 1 : 0;
  // Negation in find and test. History expansion leaves these two alone.
  if (character === '!') return isStart && (isWordEnd(after) || after === '=') ? 1 : 0;
  // Revisions: HEAD~1, main~~. A home directory starts a word, or follows a colon or an equals sign.
  if (character === '~') return !isStart && /[A-Za-z0-9^~@]/.test(before) ? 1 : 0;
  // Revisions: stash@{0}, @{upstream}. Braces expand only around a comma or two dots.
  if (character === '{' && before === '@' && !isStart) {
    return /^\{[A-Za-z0-9]+\}/.exec(text.slice(at, at + 64))?.[0].length ?? 0;
  }
  return 0;
}

function scanSingleQuotes(text: string, at: number): Part | ShellBoundary {
  const close = text.indexOf("'", at + 1);
  if (close < 0) return boundary('unfinished', at, 'a single quote is not closed');
  return { piece: { literal: text.slice(at + 1, close) }, end: close + 1, bare: false };
}

function scanDoubleQuotes(text: string, at: number): Part | ShellBoundary {
  let literal = '';
  for (let index = at + 1; index < text.length; index++) {
    const [character = '', after = ''] = [text[index], text[index + 1]];
    if (character === '"') return { piece: { literal }, end: index + 1, bare: false };
    if (character === '\\' && after === '\n') {
      return boundary('operator', index, 'a line end is escaped inside double quotes');
    }
    if (character === '\\' && '"\\$`'.includes(after) && after !== '') {
      literal += after;
      index++;
    } else if (character === '`' || (character === '$' && !isLiteralDollar(after))) {
      return boundary('expansion', index, 'double quotes hold something the shell would expand');
    } else if (character === '!') {
      return boundary('history', index, 'an exclamation mark stands in double quotes; use single quotes');
    } else {
      literal += character;
    }
  }
  return boundary('unfinished', at, 'a double quote is not closed');
}

/** A dollar that ends a regular expression: nothing that could follow one here names a parameter. */
function isLiteralDollar(after: string): boolean {
  return after !== '' && '"|) '.includes(after);
}

function scanEscape(text: string, at: number): Part | ShellBoundary {
  const escaped = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  if (at + 1 >= text.length) return boundary('unfinished', at, 'the text ends in a backslash');
  if (escaped === '\n') return boundary('operator', at, 'a line end is escaped inside a word');
  return { piece: { literal: escaped }, end: at + 1 + escaped.length, bare: false };
}

const refusedCharacters: Readonly<Record<string, readonly [BoundaryRule, string]>> = {
  $: ['expansion', 'a parameter or command substitution would be expanded'],
  '`': ['expansion', 'a command substitution would be run'],
  '~': ['tilde', 'a home directory would be expanded; write the path'],
  '{': ['brace', 'braces would be expanded; quote them or write the words out'],
  '}': ['brace', 'braces would be expanded; quote them or write the words out'],
  '[': ['glob', 'bracket patterns are not read; quote them or use * and ?'],
  '!': ['history', 'an exclamation mark stands outside quotes'],
};

/** Joins neighbouring literals, so that equal words have equal pieces. */
class Pieces {
  readonly #pieces: WordPiece[] = [];

  add(piece: WordPiece): void {
    const last = this.#pieces.at(-1);
    if ('literal' in piece && last && 'literal' in last) {
      this.#pieces[this.#pieces.length - 1] = { literal: last.literal + piece.literal };
    } else {
      this.#pieces.push(piece);
    }
  }

  finish(): Pick<ShellWord, 'text' | 'pattern'> {
    const text = this.#pieces.map((piece) => ('literal' in piece ? piece.literal : piece.wildcard)).join('');
    return { text, pattern: this.#pieces.some((piece) => 'wildcard' in piece) ? this.#pieces : undefined };
  }
}
