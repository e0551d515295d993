/**
 * Splits Python into tokens, including line structure.
 *
 * Invariant: an f-string carries the sources of all its expressions, including those in format specifications.
 */
import { UnreadCode } from '../unread-code.ts';

export interface PythonToken {
  readonly kind: 'name' | 'number' | 'string' | 'symbol' | 'newline' | 'indent' | 'dedent' | 'end';
  readonly text: string;
  readonly at: number;
  /** The value of a string literal without escapes that allow a second spelling; absent for f-strings. */
  readonly value?: string;
  /** The sources of the expressions inside an f-string. */
  readonly parts?: readonly string[];
}

const symbols = /\*\*=|\/\/=|:=|->|==|!=|<=|>=|<<|>>|\*\*|\/\/|[-+*/%&|^]=|[-+*/%&|^~<>=.,:;()[\]{}@!]/y;

export function pythonTokens(code: string): readonly PythonToken[] {
  return new PythonTokeniser(code).read();
}

class PythonTokeniser {
  readonly #code: string;
  readonly #tokens: PythonToken[] = [];
  /** The widths of the open blocks. */
  readonly #indents = [0];
  /** The number of open brackets: inside them, line ends have no meaning. */
  #depth = 0;
  #at = 0;
  #isLineStart = true;

  constructor(code: string) {
    this.#code = code;
  }

  read(): readonly PythonToken[] {
    while (this.#at < this.#code.length) {
      if (this.#isLineStart && this.#depth === 0) this.#startLine();
      else if (!this.#skipBlanks()) this.#readToken();
    }
    this.#push('newline', '\n');
    this.#dedent(0);
    this.#push('end', '');
    return this.#tokens;
  }

  #push(kind: PythonToken['kind'], text: string): void {
    this.#tokens.push({ kind, text, at: this.#at });
  }

  /** Blank and comment lines have no indentation. */
  #startLine(): void {
    const blank = match(/[ \t]*/y, this.#code, this.#at) ?? '';
    const after = this.#code[this.#at + blank.length];
    if (after === '\n' || after === '#' || after === undefined) {
      this.#at += (match(/[^\n]*\n?/y, this.#code, this.#at) ?? '').length || 1;
      return;
    }
    this.#at += blank.length;
    this.#isLineStart = false;
    this.#indent(blank.replaceAll('\t', '        ').length);
  }

  #indent(width: number): void {
    this.#dedent(width);
    const open = this.#indents.at(-1) ?? 0;
    if (width === open) return;
    this.#indents.push(width);
    this.#push('indent', '');
  }

  #dedent(width: number): void {
    while ((this.#indents.at(-1) ?? 0) > width) {
      this.#indents.pop();
      this.#push('dedent', '');
    }
  }

  #skipBlanks(): boolean {
    const blank = match(/(?:[ \t]|\\\n|#[^\n]*)+/y, this.#code, this.#at);
    this.#at += blank?.length ?? 0;
    return blank !== undefined;
  }

  #readToken(): void {
    if (this.#code[this.#at] === '\n') {
      this.#endLine();
      return;
    }
    const token = nextToken(this.#code, this.#at);
    this.#depth += nestingOf(token);
    this.#tokens.push(token);
    this.#at += token.text.length;
  }

  #endLine(): void {
    if (this.#depth === 0) {
      this.#push('newline', '\n');
      this.#isLineStart = true;
    }
    this.#at += 1;
  }
}

function nextToken(code: string, at: number): PythonToken {
  const string = match(
    /(?:[rbuf]|rb|br|fr|rf)?(?:'''(?:[^\\]|\\[\s\S])*?'''|"""(?:[^\\]|\\[\s\S])*?"""|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")/iy,
    code,
    at,
  );
  if (string !== undefined) return stringToken(string, at);
  const number = match(/0x[\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[+-]?\d+)?/iy, code, at);
  if (number !== undefined) return { kind: 'number', text: number, at };
  const name = match(/[A-Za-z_]\w*/y, code, at);
  if (name !== undefined) return { kind: 'name', text: name, at };
  const symbol = match(symbols, code, at);
  if (symbol === undefined) throw new UnreadCode(code.slice(at));
  return { kind: 'symbol', text: symbol, at };
}

function stringToken(text: string, at: number): PythonToken {
  const prefix = /^[a-z]*/i.exec(text)?.[0].toLowerCase() ?? '';
  const quote = /^("""|'''|"|')/.exec(text.slice(prefix.length))?.[0] ?? '';
  const body = text.slice(prefix.length + quote.length, text.length - quote.length);
  if (prefix.includes('f')) return { kind: 'string', text, at, parts: expressionsOf(body) };
  const isPlain = prefix.includes('r') || !body.includes('\\');
  return { kind: 'string', text, at, ...(isPlain ? { value: body } : {}) };
}

/** The expressions of the replacement fields of an f-string; doubled braces are text. */
function expressionsOf(body: string): readonly string[] {
  const expressions: string[] = [];
  for (let index = 0; index < body.length; index++) {
    if (body[index] !== '{') continue;
    index = body[index + 1] === '{' ? index + 1 : readField(body, index + 1, expressions);
  }
  return expressions;
}

/** Collects the expressions of the field that starts at `from` and returns the position of its closing brace. */
function readField(body: string, from: number, expressions: string[]): number {
  let at = expressionEnd(body, from);
  expressions.push(body.slice(from, at).replace(/=\s*$/, ''));
  // A format specification has its own fields. Doubled braces are not text in it: `{{f()}}` evaluates a set.
  for (; body[at] !== '}'; at++) {
    if (at >= body.length) throw new UnreadCode(body.slice(from));
    if (body[at] === '{') at = readField(body, at + 1, expressions);
  }
  return at;
}

/**
 * The end of the expression of a replacement field: its brace, conversion or format. Found token by token like in
 * Python, because these characters have no meaning inside a string; anything that is not a token (a comment) is
 * refused.
 */
function expressionEnd(body: string, from: number): number {
  let depth = 0;
  for (let at = from; at < body.length; ) {
    const blank = match(/\s+/y, body, at);
    const token = blank === undefined ? nextToken(body, at) : undefined;
    if (token && depth === 0 && isFieldEnd(token)) return at;
    if (token) depth += nestingOf(token);
    if (depth < 0) break;
    at += (blank ?? token?.text ?? '').length;
  }
  throw new UnreadCode(body.slice(from));
}

function isFieldEnd({ kind, text }: PythonToken): boolean {
  return kind === 'symbol' && (text === '}' || text === '!' || text.startsWith(':'));
}

/** The change of bracket depth by a token. */
function nestingOf({ kind, text }: PythonToken): -1 | 0 | 1 {
  if (kind !== 'symbol') return 0;
  if ('([{'.includes(text)) return 1;
  return ')]}'.includes(text) ? -1 : 0;
}

function match(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] || undefined;
}
