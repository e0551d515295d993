/**
 * Splits a jq filter into tokens, including the expressions inside strings.
 *
 * Invariant: a field, key or format name is distinguished from a called name.
 */
import { UnreadCode } from './unread-code.ts';

export interface JqToken {
  readonly kind: 'name' | 'field' | 'variable' | 'format' | 'number' | 'string' | 'symbol';
  readonly text: string;
}

const pieces: readonly (readonly [RegExp, JqToken['kind'] | 'nothing'])[] = [
  [/\s+/y, 'nothing'],
  [/#[^\n\\]*(?=\n|$)/y, 'nothing'],
  [/\.\s*[A-Za-z_]\w*/y, 'field'],
  [/\$\s*[A-Za-z_]\w*/y, 'variable'],
  [/@[A-Za-z]\w*/y, 'format'],
  [/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y, 'number'],
  [/[A-Za-z_]\w*/y, 'name'],
  [/\?\/\/|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\/\/|\.\.|[.[\]{}()|,:;=<>+\-*/%?]/y, 'symbol'],
];

export function jqTokens(filter: string): readonly JqToken[] {
  const { tokens, end } = read(filter, 0, 'end');
  if (end !== filter.length) throw new UnreadCode(filter.slice(end));
  return tokens;
}

interface Read {
  readonly tokens: readonly JqToken[];
  readonly end: number;
}

/** Tokens up to the end, or up to the parenthesis that closes an expression inside a string. */
function read(filter: string, from: number, until: 'end' | 'parenthesis'): Read {
  const tokens: JqToken[] = [];
  const open: string[] = [];
  let at = from;
  while (at < filter.length) {
    if (filter[at] === '"') {
      const string = readString(filter, at);
      tokens.push({ kind: 'string', text: '""' }, ...string.tokens);
      at = string.end;
      continue;
    }
    if (filter[at] === ')' && open.length === 0 && until === 'parenthesis') return { tokens, end: at };
    const token = piece(filter, at);
    at += token.text.length;
    if (token.kind === 'nothing') continue;
    followBrackets(open, token.text);
    const isKey = token.kind === 'name' && open.at(-1) === '{' && isKeyPlace(filter, at, tokens.at(-1));
    tokens.push({ kind: isKey ? 'field' : token.kind, text: token.text.replace(/\s/g, '') });
  }
  if (until === 'parenthesis') throw new UnreadCode(filter.slice(from));
  return { tokens, end: at };
}

/** Updates `open`, the stack of open brackets. */
function followBrackets(open: string[], text: string): void {
  if ('([{'.includes(text)) open.push(text);
  if (')]}'.includes(text)) open.pop();
}

/** Whether a name inside braces is a key: after a brace or comma, and before a colon, a comma or the end. */
function isKeyPlace(filter: string, after: number, last: JqToken | undefined): boolean {
  return (last?.text === '{' || last?.text === ',') && /^\s*[:,}]/.test(filter.slice(after));
}

function piece(
  filter: string,
  at: number,
): { readonly kind: JqToken['kind'] | 'nothing'; readonly text: string } {
  for (const [expression, kind] of pieces) {
    expression.lastIndex = at;
    const text = expression.exec(filter)?.[0];
    if (text) return { kind, text };
  }
  throw new UnreadCode(filter.slice(at));
}

function readString(filter: string, at: number): Read {
  const tokens: JqToken[] = [];
  for (let index = at + 1; index < filter.length; index++) {
    if (filter[index] === '"') return { tokens, end: index + 1 };
    if (filter[index] !== '\\') continue;
    index += 1;
    if (filter[index] !== '(') continue;
    const inside = read(filter, index + 1, 'parenthesis');
    tokens.push(...inside.tokens);
    index = inside.end;
  }
  throw new UnreadCode(filter.slice(at));
}
