/**
 * The awk programs that only compute and print to standard output.
 *
 * Invariant: an accepted program has no pipe, no redirected print, no getline, no call of the system, no
 * loop but a counting or a `for (… in …)` one, and no functions of its own. A slash whose meaning hangs on
 * more than the token before it is refused, so that nothing hides in what was taken for a regular expression.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import { optionRule, type ReadCall } from '../command/option-rule.ts';
import { hasOpenBracket } from './sed-script.ts';

export const awkRule = optionRule({
  options: '-F= -v=',
  operands: { leading: ['text'], rest: 'file' },
  order: 'options-first',
  also: refuseProgram,
});

function refuseProgram({ operands }: ReadCall): ShellBoundary | undefined {
  const program = operands[0];
  if (program === undefined) return undefined;
  const tokens = tokenise(program.text);
  const stop = typeof tokens === 'string' ? tokens : refusedToken(tokens);
  return stop === undefined
    ? undefined
    : boundary('script', program.at, `the awk program is not read from "${stop.slice(0, 20)}"`);
}

interface AwkToken {
  readonly kind: 'name' | 'keyword' | 'value' | 'symbol' | 'newline';
  readonly text: string;
}

const keywords: ReadonlySet<string> = new Set([
  'BEGIN',
  'END',
  'if',
  'else',
  'for',
  'in',
  'print',
  'printf',
  'next',
  'exit',
  'delete',
  'break',
  'continue',
]);

/** Names that run, read or write something, loop without end, or belong to one implementation only. */
const refusedNames =
  /^(system|getline|close|fflush|while|do|function|func|return|switch|case|ARGV|ARGC|nextfile|BEGINFILE|ENDFILE|PROCINFO|SYMTAB|FUNCTAB|load|include)$/;

const pieces: readonly (readonly [RegExp, AwkToken['kind'] | 'nothing'])[] = [
  [/[ \t]+|#[^\n]*|\\\n/y, 'nothing'],
  [/\n/y, 'newline'],
  [/"(?:[^"\\\n]|\\[^\n])*"/y, 'value'],
  [/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y, 'value'],
  [/[A-Za-z_]\w*/y, 'name'],
  [/\+\+|--|&&|\|\||[-+*%^!=<>]=|!~|[-+*%^!<>~?:,;(){}[\]$=]/y, 'symbol'],
];

/** The tokens, or the text from where it could not be read on. */
function tokenise(program: string): readonly AwkToken[] | string {
  const tokens: AwkToken[] = [];
  const controls = new ControlParentheses();
  for (let at = 0; at < program.length; ) {
    const token =
      program[at] === '/' ? slash(program, at, controls.expects(tokens.at(-1))) : piece(program, at);
    if (token === undefined) return program.slice(at);
    at += token.text.length;
    if (token.kind === 'nothing') continue;
    const read = { ...token, kind: keywords.has(token.text) ? ('keyword' as const) : token.kind };
    controls.follow(read, tokens.at(-1));
    tokens.push(read);
  }
  return tokens;
}

type Piece = { readonly kind: AwkToken['kind'] | 'nothing'; readonly text: string };

function piece(program: string, at: number): Piece | undefined {
  for (const [expression, kind] of pieces) {
    expression.lastIndex = at;
    const text = expression.exec(program)?.[0];
    if (text) return { kind, text };
  }
  return undefined;
}

/** A slash divides after an operand and starts an expression where an operand is due. */
function slash(program: string, at: number, expected: 'operand' | 'operator' | 'unclear'): Piece | undefined {
  if (expected === 'operator') return { kind: 'symbol', text: program[at + 1] === '=' ? '/=' : '/' };
  if (expected === 'unclear') return undefined;
  const expression = /\/(?:[^/\\\n]|\\[^\n])+\//y;
  expression.lastIndex = at;
  const text = expression.exec(program)?.[0];
  if (text === undefined || hasOpenBracket(text.slice(1, -1))) return undefined;
  return { kind: 'value', text };
}

/** Knows which closing parentheses end the head of an `if` or `for`, behind which an operand may start. */
class ControlParentheses {
  readonly #open: boolean[] = [];
  #closedControl = false;

  follow(token: AwkToken, before: AwkToken | undefined): void {
    if (token.text === '(' && token.kind === 'symbol') {
      this.#open.push(before?.kind === 'keyword' && (before.text === 'if' || before.text === 'for'));
    }
    this.#closedControl = token.text === ')' && token.kind === 'symbol' && this.#open.pop() === true;
  }

  /** What may stand after the tokens followed so far, `last` being the last of them. */
  expects(last: AwkToken | undefined): 'operand' | 'operator' | 'unclear' {
    if (last === undefined || last.kind === 'newline') return 'operand';
    if (last.kind === 'value') return 'operator';
    // A function's name is followed by its parenthesis, so a slash behind a name divides.
    if (last.kind === 'name') return 'operator';
    if (last.kind === 'keyword') return 'unclear';
    if (last.text === ')') return this.#closedControl ? 'unclear' : 'operator';
    if (last.text === ']') return 'operator';
    if (last.text === '}' || last.text === '{' || last.text === ';') return 'operand';
    return /^(\(|,|!|~|!~|&&|\|\|)$/.test(last.text) ? 'operand' : 'unclear';
  }
}

/** The first token the program may not hold. */
function refusedToken(tokens: readonly AwkToken[]): string | undefined {
  let prints = false;
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'name' && refusedNames.test(text)) return text;
    if (text === 'for' && kind === 'keyword' && !isCounting(tokens.slice(index + 1))) return 'for';
    if (kind === 'keyword' && (text === 'print' || text === 'printf')) prints = true;
    // A line end does not end a print for certain: behind a comma it goes on.
    else if (kind === 'symbol' && (text === ';' || text === '}')) prints = false;
    // Behind print this is a redirect; inside parentheses it would compare, but that is not worth the doubt.
    else if (prints && kind === 'symbol' && (text === '>' || text === '>=')) return text;
  }
  return undefined;
}

/** `(name in name)`, or `(i = …; i < …; i++)` in either direction with one step each. */
function isCounting(head: readonly AwkToken[]): boolean {
  const text = head.slice(0, 40).map((token) => (token.kind === 'value' ? '0' : token.text));
  const close = matchingParenthesis(text);
  const inside = close < 0 ? '' : text.slice(1, close).join(' ');
  if (/^[A-Za-z_]\w* in [A-Za-z_]\w*$/.test(inside)) return true;
  const [start = '', end = '', step = '', ...more] = inside.split(' ; ');
  const counter = /^([A-Za-z_]\w*) = /.exec(start)?.[1];
  if (counter === undefined || more.length > 0) return false;
  return (
    (/^[A-Za-z_]\w* <=? [^=]+$/.test(end) && step === `${counter} ++` && end.startsWith(`${counter} `)) ||
    (/^[A-Za-z_]\w* >=? [^=]+$/.test(end) && step === `${counter} --` && end.startsWith(`${counter} `))
  );
}

function matchingParenthesis(tokens: readonly string[]): number {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0) return token === ')' ? index : -1;
  }
  return -1;
}
