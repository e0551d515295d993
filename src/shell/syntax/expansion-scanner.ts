/**
 * Scans what starts with a dollar or a backquote: variables, command substitutions and plain arithmetic.
 *
 * Invariant: a variable is named by a word and modified in one of four known ways; indirection, transformation,
 * assignment and arithmetic on names are refused, since each can execute text.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { type Scanned, sticky } from './scanned.ts';
import type { Expansion, Parameter, Script, WordPiece } from './shell-list.ts';

/** Parses a script inside a word. */
export interface NestedScripts {
  /** The script from `at` up to the parenthesis that closes it. */
  readonly parenthesised: (at: number) => Scanned<Script> | ShellBoundary;
  /** A script that is the whole of `text`; its positions are counted from `at`. */
  readonly whole: (text: string, at: number) => Script | ShellBoundary;
}

interface ExpansionRequest {
  readonly nested: NestedScripts;
  readonly quoted: boolean;
}

export function scanExpansion(
  text: string,
  at: number,
  { nested, quoted }: ExpansionRequest,
): Scanned<Expansion | WordPiece> | ShellBoundary {
  if (text[at] === '`') return scanBackquotes(text, at, { nested, quoted });
  if (text.startsWith('$((', at)) return scanArithmetic(text, at);
  if (text[at + 1] === '(') {
    const script = nested.parenthesised(at + 2);
    if (isBoundary(script)) return script;
    return { value: { substitution: script.value, quoted }, end: script.end };
  }
  const plain = sticky(/\$(?:[A-Za-z_]\w*|\?)/y, text, at);
  if (plain !== undefined) {
    const parameter: Parameter = { name: plain.slice(1), change: { kind: 'none' } };
    return { value: { parameter, quoted }, end: at + plain.length };
  }
  const braced = text[at + 1] === '{' ? scanBraced(text, at) : undefined;
  if (braced) return { value: { parameter: braced.value, quoted }, end: braced.end };
  // At the end of a word a dollar is literal, as in a regular expression.
  if (text[at + 1] === undefined || /\s/.test(text[at + 1] ?? ''))
    return { value: { literal: '$' }, end: at + 1 };
  return boundary('expansion', at, 'this expansion is not read');
}

/** `${x}`, `${#x}`, `${x:-text}`, and `${x%pattern}` with its three variants. */
function scanBraced(text: string, at: number): Scanned<Parameter> | undefined {
  const written = sticky(/\$\{#?[A-Za-z_]\w*(?:(?::-|##?|%%?)[^{}$`'"\\\n]*)?\}/y, text, at);
  if (written === undefined) return undefined;
  const [, length, name = '', operator, value = ''] =
    /^\$\{(#?)([A-Za-z_]\w*)(?:(:-|##?|%%?)(.*))?\}$/s.exec(written) ?? [];
  const end = at + written.length;
  if (length) return operator ? undefined : { value: { name, change: { kind: 'length' } }, end };
  if (operator === undefined) return { value: { name, change: { kind: 'none' } }, end };
  if (operator === ':-') return { value: { name, change: { kind: 'default', text: value } }, end };
  // Sets of characters would be patterns too.
  if (value.includes('[') || !isCut(operator)) return undefined;
  return { value: { name, change: { kind: 'cut', from: operator, pattern: value } }, end };
}

function isCut(operator: string): operator is '#' | '##' | '%' | '%%' {
  return /^(##?|%%?)$/.test(operator);
}

/** Arithmetic on numbers alone is computed here; a name could contain text that bash evaluates. */
function scanArithmetic(text: string, at: number): Scanned<WordPiece> | ShellBoundary {
  const written = sticky(/\$\(\([\d\s+*/%()-]{1,80}\)\)/y, text, at);
  const result = written === undefined ? undefined : new Sum(written.slice(3, -2)).value();
  if (written === undefined || result === undefined) {
    return boundary('expansion', at, 'only arithmetic on plain numbers is read');
  }
  return { value: { literal: String(result) }, end: at + written.length };
}

function scanBackquotes(
  text: string,
  at: number,
  { nested, quoted }: ExpansionRequest,
): Scanned<Expansion> | ShellBoundary {
  const written = sticky(/`[^`\\]*`/y, text, at);
  if (written === undefined) return boundary('expansion', at, 'backquotes with escapes inside are not read');
  const script = nested.whole(written.slice(1, -1), at + 1);
  if (isBoundary(script)) return script;
  return { value: { substitution: script, quoted }, end: at + written.length };
}

/** A sum of products of whole numbers. */
class Sum {
  readonly #tokens: readonly string[];
  #index = 0;

  constructor(text: string) {
    this.#tokens = text.match(/\d+|[+*/%()-]/g) ?? [];
  }

  value(): number | undefined {
    const result = this.#sum();
    return this.#index === this.#tokens.length && Number.isSafeInteger(result) ? result : undefined;
  }

  #sum(): number {
    let result = this.#product();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      result += (sign === '+' ? 1 : -1) * this.#product();
    }
    return result;
  }

  #product(): number {
    let result = this.#factor();
    for (let sign = this.#take('*', '/', '%'); sign; sign = this.#take('*', '/', '%')) {
      const factor = this.#factor();
      result = sign === '*' ? result * factor : sign === '/' ? Math.trunc(result / factor) : result % factor;
    }
    return result;
  }

  #factor(): number {
    if (this.#take('-')) return -this.#factor();
    if (this.#take('(')) {
      const result = this.#sum();
      return this.#take(')') ? result : Number.NaN;
    }
    const token = this.#tokens[this.#index] ?? '';
    this.#index += 1;
    // A leading zero would make it octal.
    return /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN;
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#index];
    if (token === undefined || !wanted.includes(token)) return undefined;
    this.#index += 1;
    return token;
  }
}
