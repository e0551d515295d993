/**
 * Splits JavaScript into tokens.
 *
 * Invariant: the token before a slash decides whether it divides or starts a regular expression; if that is not
 * enough (after the closing brace or parenthesis of a statement) it is read as a division, which the checker refuses
 * unless an operand follows.
 */
import { UnreadCode } from '../unread-code.ts';

export interface JavaScriptToken {
  readonly kind: 'name' | 'number' | 'string' | 'template' | 'expression' | 'symbol' | 'end';
  /** As written; the value of a string is in `value`, the expressions of a template are in `parts`. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly lineBefore: boolean;
  /** The value of a string literal. */
  readonly value?: string;
  /** The sources of the expressions inside a template. */
  readonly parts?: readonly string[];
}

const symbols =
  /\.\.\.|=>|===|!==|\*\*=|\?\?=|\|\|=|&&=|>>>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\*\*|<<|>>|[-+*/%&|^]=|[-+*/%&|^!~?:,;(){}[\]=<>.]/y;

export function javaScriptTokens(code: string): readonly JavaScriptToken[] {
  const tokens: JavaScriptToken[] = [];
  let at = 0;
  for (;;) {
    const gap = match(/(?:\s+|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y, code, at) ?? '';
    at += gap.length;
    const lineBefore = gap.includes('\n');
    if (at >= code.length) {
      tokens.push({ kind: 'end', text: '', at, end: at, lineBefore });
      return tokens;
    }
    const token = { ...nextToken(code, at, tokens.at(-1)), lineBefore };
    tokens.push(token);
    at = token.end;
  }
}

type Bare = Omit<JavaScriptToken, 'lineBefore'>;

function nextToken(code: string, at: number, last: JavaScriptToken | undefined): Bare {
  const make = (kind: JavaScriptToken['kind'], text: string): Bare => ({
    kind,
    text,
    at,
    end: at + text.length,
  });
  const literal = textLiteral(code, at);
  if (literal) return literal;
  if (code[at] === '/' && !endsOperand(last)) {
    const text = match(/\/(?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[dgimsuy]*/y, code, at);
    if (text === undefined) throw new UnreadCode(code.slice(at));
    return make('expression', text);
  }
  const number = match(/0x[\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[+-]?\d+)?n?/iy, code, at);
  if (number !== undefined) return make('number', number);
  const name = match(/[A-Za-z_$][\w$]*/y, code, at);
  if (name !== undefined) return make('name', name);
  const symbol = match(symbols, code, at);
  if (symbol === undefined) throw new UnreadCode(code.slice(at));
  return make('symbol', symbol);
}

const operators: ReadonlySet<string> = new Set([
  'return',
  'typeof',
  'in',
  'of',
  'instanceof',
  'void',
  'else',
]);

function endsOperand(last: JavaScriptToken | undefined): boolean {
  if (last === undefined) return false;
  if (last.kind === 'name') return !operators.has(last.text);
  return last.kind !== 'symbol' || last.text === ')' || last.text === ']' || last.text === '}';
}

/** The string or the template that starts here. */
function textLiteral(code: string, at: number): Bare | undefined {
  if (code[at] === '"' || code[at] === "'") return stringToken(code, at);
  return code[at] === '`' ? templateToken(code, at) : undefined;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

function stringToken(code: string, at: number): Bare {
  const quote = code[at];
  let value = '';
  for (let index = at + 1; index < code.length; index++) {
    const character = code[index] ?? '';
    if (character === quote) {
      return { kind: 'string', text: code.slice(at, index + 1), at, end: index + 1, value };
    }
    if (character === '\n') break;
    if (character !== '\\') {
      value += character;
      continue;
    }
    index += 1;
    const escaped = code[index] ?? '';
    // Numeric escapes would allow a second spelling of names.
    if (/[xu1-9\n]/.test(escaped)) break;
    value += escapes[escaped] ?? escaped;
  }
  throw new UnreadCode(code.slice(at));
}

function templateToken(code: string, at: number): Bare {
  const parts: string[] = [];
  for (let index = at + 1; index < code.length; index++) {
    if (code[index] === '`')
      return { kind: 'template', text: code.slice(at, index + 1), at, end: index + 1, parts };
    if (code[index] === '\\') index += 1;
    else if (code[index] === '$' && code[index + 1] === '{') {
      const close = closingBrace(code, index + 2);
      parts.push(code.slice(index + 2, close));
      index = close;
    }
  }
  throw new UnreadCode(code.slice(at));
}

/** The brace that closes a template's expression; strings and templates inside it are skipped. */
function closingBrace(code: string, from: number): number {
  let depth = 0;
  for (let index = from; index < code.length; index++) {
    const literal = textLiteral(code, index);
    const character = code[index];
    if (literal) index = literal.end - 1;
    // A regular expression could contain a brace; a slash makes the end uncertain.
    else if (character === '/') break;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      if (depth === 0) return index;
      depth -= 1;
    }
  }
  throw new UnreadCode(code.slice(from));
}

function match(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] || undefined;
}
