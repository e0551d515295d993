/**
 * Takes Python apart into tokens, line structure included.
 *
 * Invariant: an f-string carries the sources of all its expressions, those of its format specifications too.
 */
import { UnreadCode } from '../unread-code.ts';

export interface PythonToken {
  readonly kind: 'name' | 'number' | 'string' | 'symbol' | 'newline' | 'indent' | 'dedent' | 'end';
  readonly text: string;
  readonly at: number;
  /** The value of a string literal without escapes that spell characters in a second way; absent for f-strings. */
  readonly value?: string;
  /** The sources of the expressions inside an f-string. */
  readonly parts?: readonly string[];
}

const symbols = /\*\*=|\/\/=|:=|->|==|!=|<=|>=|<<|>>|\*\*|\/\/|[-+*/%&|^]=|[-+*/%&|^~<>=.,:;()[\]{}@!]/y;

export function pythonTokens(code: string): readonly PythonToken[] {
  const tokens: PythonToken[] = [];
  const indents = [0];
  let depth = 0;
  let at = 0;
  let isLineStart = true;
  const close = (width: number): void => {
    while ((indents.at(-1) ?? 0) > width) {
      indents.pop();
      tokens.push({ kind: 'dedent', text: '', at });
    }
  };
  while (at < code.length) {
    if (isLineStart && depth === 0) {
      const blank = match(/[ \t]*/y, code, at) ?? '';
      const after = code[at + blank.length];
      if (after === '\n' || after === '#' || after === undefined) {
        at += (match(/[^\n]*\n?/y, code, at) ?? '').length || 1;
        continue;
      }
      const width = blank.replaceAll('\t', '        ').length;
      at += blank.length;
      close(width);
      if (width > (indents.at(-1) ?? 0)) {
        indents.push(width);
        tokens.push({ kind: 'indent', text: '', at });
      } else if (width !== indents.at(-1)) throw new UnreadCode(code.slice(at));
      isLineStart = false;
    }
    const gap = match(/(?:[ \t]|\\\n|#[^\n]*)+/y, code, at);
    if (gap !== undefined) {
      at += gap.length;
      continue;
    }
    if (code[at] === '\n') {
      if (depth === 0) {
        tokens.push({ kind: 'newline', text: '\n', at });
        isLineStart = true;
      }
      at += 1;
      continue;
    }
    const token = nextToken(code, at);
    if ('([{'.includes(token.text) && token.kind === 'symbol') depth += 1;
    if (')]}'.includes(token.text) && token.kind === 'symbol') depth -= 1;
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'newline', text: '\n', at });
  close(0);
  return [...tokens, { kind: 'end', text: '', at }];
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

/** Collects the expressions of the field that starts at `from` and returns where its closing brace is. */
function readField(body: string, from: number, expressions: string[]): number {
  let at = expressionEnd(body, from);
  expressions.push(body.slice(from, at).replace(/=\s*$/, ''));
  // A format specification has fields of its own. Doubled braces are no text in it: `{{f()}}` evaluates a set.
  for (; body[at] !== '}'; at++) {
    if (at >= body.length) throw new UnreadCode(body.slice(from));
    if (body[at] === '{') at = readField(body, at + 1, expressions);
  }
  return at;
}

/**
 * Where the expression of a replacement field ends: at its brace, its conversion or its format. Found token by token as
 * Python does, because these characters mean nothing inside a string; what is no token (a comment) is refused.
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

/** How a token changes the depth of brackets. */
function nestingOf({ kind, text }: PythonToken): -1 | 0 | 1 {
  if (kind !== 'symbol') return 0;
  if ('([{'.includes(text)) return 1;
  return ')]}'.includes(text) ? -1 : 0;
}

function match(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] || undefined;
}
