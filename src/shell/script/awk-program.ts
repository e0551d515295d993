/**
 * The awk programs that only compute and print to standard output.
 *
 * Invariant: an accepted program has no pipe, no redirected print, no getline, no system call, no loop except a
 * counting one, a `for (… in …)` or one whose condition changes, and no recursive function. Names such as
 * "/inet/tcp/0/host/80" are only text, since the program opens no file. A slash whose meaning depends on more than
 * the token before it is refused, so that nothing is hidden in a supposed regular expression.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import { optionRule, type ReadCall } from '../command/option-rule.ts';
import { hasOpenBracket, isUnwritten } from './sed-script.ts';

export const awkRule = optionRule({
  options: `-F= -v= --field-separator= --assign= --posix --re-interval --traditional --csv -c -P -n -b -k -W= --version -V
    --characters-as-bytes --non-decimal-data --sandbox -S`,
  // Behind the program no word is an option.
  operands: { leading: ['text'], rest: 'file', anyName: true },
  order: 'options-first',
  also: refuseProgram,
});

function refuseProgram({ options, operands }: ReadCall): ShellBoundary | undefined {
  const program = operands[0];
  const other = options.find(({ name, value }) => name === 'W' && value !== 'version');
  if (other) return boundary('option', other.word.at, `-W ${other.value} is not known to only read`);
  if (program === undefined) return undefined;
  if (isUnwritten(program, /^[NRF\s=<>!&|()\d]+$/))
    return boundary('script', program.at, 'an awk program must be written out');
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
  'nextfile',
  'do',
  'exit',
  'delete',
  'break',
  'continue',
  'while',
  'function',
  'func',
  'return',
]);

/** Builtin functions that compute. */
const builtins: ReadonlySet<string> = new Set(
  `length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper strftime
  systime mktime gensub asort asorti strtonum and or xor lshift rshift compl patsplit`.split(/\s+/),
);

/** Names that run, read or write something, loop without end, or exist in one implementation only. */
const refusedNames =
  /^(system|getline|fflush|switch|case|ENVIRON|ARGV|ARGC|BEGINFILE|ENDFILE|PROCINFO|SYMTAB|FUNCTAB|load|include)$/;

const pieces: readonly (readonly [RegExp, AwkToken['kind'] | 'nothing'])[] = [
  [/[ \t]+|#[^\n]*|\\\n/y, 'nothing'],
  [/\n/y, 'newline'],
  [/"(?:[^"\\\n]|\\[^\n])*"/y, 'value'],
  [/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y, 'value'],
  [/[A-Za-z_]\w*/y, 'name'],
  [/\+\+|--|&&|\|\||\|(?!&)|>>|\*\*|[-+*%^!=<>]=|!~|[-+*%^!<>~?:,;(){}[\]$=]/y, 'symbol'],
];

/** The tokens, or the rest of the text from the first unreadable character. */
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

/** A slash divides after an operand and starts a regular expression where an operand is expected. */
function slash(program: string, at: number, expected: 'operand' | 'operator' | 'unclear'): Piece | undefined {
  if (expected === 'operator') return { kind: 'symbol', text: program[at + 1] === '=' ? '/=' : '/' };
  if (expected === 'unclear') return undefined;
  const expression = /\/(?:[^/\\\n]|\\[^\n])+\//y;
  expression.lastIndex = at;
  const text = expression.exec(program)?.[0];
  if (text === undefined || hasOpenBracket(text.slice(1, -1))) return undefined;
  return { kind: 'value', text };
}

/** Tracks the closing parentheses of `if` and `for` heads, after which an operand may start. */
class ControlParentheses {
  readonly #open: boolean[] = [];
  #closedControl = false;

  follow(token: AwkToken, before: AwkToken | undefined): void {
    if (token.text === '(' && token.kind === 'symbol') {
      this.#open.push(before?.kind === 'keyword' && /^(if|for|while)$/.test(before.text));
    }
    this.#closedControl = token.text === ')' && token.kind === 'symbol' && this.#open.pop() === true;
  }

  /** What may follow the tokens so far; `last` is the last of them. */
  expects(last: AwkToken | undefined): 'operand' | 'operator' | 'unclear' {
    if (last === undefined || last.kind === 'newline') return 'operand';
    if (last.kind === 'value') return 'operator';
    // A function's name is followed by its parenthesis, so a slash after a name divides.
    if (last.kind === 'name') return 'operator';
    if (last.kind === 'keyword') return 'unclear';
    if (last.text === ')') return this.#closedControl ? 'unclear' : 'operator';
    if (last.text === ']') return 'operator';
    if (last.text === '}' || last.text === '{' || last.text === ';') return 'operand';
    return /^(\(|,|!|~|!~|&&|\|\|)$/.test(last.text) ? 'operand' : 'unclear';
  }
}

/** The first token that is not allowed. */
function refusedToken(tokens: readonly AwkToken[]): string | undefined {
  const print = new PrintStatement();
  const functions = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const { kind, text } = token;
    const rest = tokens.slice(index + 1);
    if (kind === 'name' && isRefusedName(text, rest, functions)) return text;
    if (kind === 'keyword' && isRefusedLoop(text, rest, tokens)) return text;
    if (startsFunction(token)) {
      const name = definedFunction(rest);
      if (name === undefined) return text;
      functions.add(name);
    }
    if (leavesProgram(token, rest, print.follow(token, tokens[index - 1]))) return text;
  }
  return undefined;
}

/** Whether a token sends output to a file or another program. */
function leavesProgram(
  { kind, text }: AwkToken,
  rest: readonly AwkToken[],
  effect: 'redirects' | 'prints' | undefined,
): boolean {
  if (effect === 'redirects') return !isHarmlessTarget(text, rest);
  return kind === 'symbol' && text === '|' && !(effect === 'prints' && isHarmlessTarget(text, rest));
}

/**
 * Output that goes to a standard stream, or through a program that sorts or counts its input; awk starts it with the
 * fixed search path.
 */
function isHarmlessTarget(operator: string, [target, after]: readonly AwkToken[]): boolean {
  const isEnd = after === undefined || after.kind === 'newline' || after.text === ';' || after.text === '}';
  if (target?.kind !== 'value' || !isEnd) return false;
  return operator === '|' ? harmlessFilter.test(target.text) : /^"\/dev\/(stderr|stdout)"$/.test(target.text);
}

const harmlessFilter = /^"(sort( -[bdfghinrsuVk0-9.,]+| -t ?[,:;])*|uniq( -[cdu]+)?|cat( 1>&2)?|wc -l)"$/;

/** Whether a name does more than compute, or calls an unknown function. */
function isRefusedName(name: string, rest: readonly AwkToken[], defined: ReadonlySet<string>): boolean {
  const [next] = rest;
  if (refusedNames.test(name)) return true;
  if (name === 'close') return !isHarmlessClose(next, rest);
  // A name directly before a parenthesis is called; with a blank between, it could be concatenated.
  return next?.text === '(' && !builtins.has(name) && !defined.has(name);
}

/** `close("sort")` ends a filter. */
function isHarmlessClose(open: AwkToken | undefined, [, target, close]: readonly AwkToken[]): boolean {
  return (
    open?.text === '(' && target?.kind === 'value' && harmlessFilter.test(target.text) && close?.text === ')'
  );
}

function startsFunction({ kind, text }: AwkToken): boolean {
  return kind === 'keyword' && (text === 'function' || text === 'func');
}

function isRefusedLoop(keyword: string, rest: readonly AwkToken[], program: readonly AwkToken[]): boolean {
  if (keyword === 'for') return !isCounting(rest);
  // Its end is checked where its `while` stands.
  if (keyword === 'do') return !rest.some(({ kind, text }) => kind === 'keyword' && text === 'while');
  return keyword === 'while' && !isChanging(rest, program);
}

/** Tracks whether a greater-than sign redirects: after print, outside its parentheses. */
class PrintStatement {
  #depth: number | undefined;

  follow({ kind, text }: AwkToken, before: AwkToken | undefined): 'redirects' | 'prints' | undefined {
    if (kind === 'keyword' && (text === 'print' || text === 'printf')) this.#depth = 0;
    if (this.#depth === undefined) return undefined;
    if (kind === 'newline') {
      if (!continuesLine(before)) this.#depth = undefined;
      return undefined;
    }
    if (kind !== 'symbol') return undefined;
    if (text === '(') this.#depth += 1;
    else if (text === ')') this.#depth -= 1;
    else if (text === ';' || text === '}') this.#depth = undefined;
    else if (this.#depth <= 0) return effects[text];
    return undefined;
  }
}

/** What an operator does to the output of a print statement outside its parentheses. */
const effects: Readonly<Record<string, 'redirects' | 'prints'>> = {
  '>': 'redirects',
  '>=': 'redirects',
  '>>': 'redirects',
  '|': 'prints',
};

/** Whether the statement continues on the next line after this token. */
function continuesLine(last: AwkToken | undefined): boolean {
  return last?.kind === 'symbol' && /^(,|&&|\|\||\?|:)$/.test(last.text);
}

/** The name of a function that does not call itself; undefined if that is not certain. */
function definedFunction(rest: readonly AwkToken[]): string | undefined {
  const [name] = rest;
  const start = rest.findIndex(({ kind, text }) => kind === 'symbol' && text === '{');
  if (name?.kind !== 'name' || start < 0 || builtins.has(name.text)) return undefined;
  let depth = 0;
  for (const { kind, text } of rest.slice(start)) {
    if (kind === 'symbol' && text === '{') depth += 1;
    if (kind === 'symbol' && text === '}') depth -= 1;
    if (kind === 'name' && text === name.text) return undefined;
    if (depth === 0) return name.text;
  }
  return undefined;
}

/** Whether the condition of a loop contains a variable that the program changes towards its end. */
function isChanging(rest: readonly AwkToken[], program: readonly AwkToken[]): boolean {
  const close = matchingParenthesis(rest.map(({ text }) => text));
  const condition = rest.slice(1, Math.max(1, close));
  return condition.some(({ kind, text }, at) => {
    if (kind !== 'name') return false;
    if (condition[at + 1]?.text === '(') return isShortening(text, condition.slice(at + 2), program);
    return isStepped(text, directionOf(condition, at), program);
  });
}

/** The direction in which a variable must change for its comparison to become false. */
function directionOf(condition: readonly AwkToken[], at: number): 'up' | 'down' | 'any' {
  const [before, after] = [condition[at - 1]?.text ?? '', condition[at + 1]?.text ?? ''];
  if (/^<=?$/.test(after) || /^>=?$/.test(before)) return 'up';
  return /^>=?$/.test(after) || /^<=?$/.test(before) ? 'down' : 'any';
}

function isStepped(name: string, direction: 'up' | 'down' | 'any', program: readonly AwkToken[]): boolean {
  const steps =
    direction === 'up' ? /^(\+\+|[+*]=)$/ : direction === 'down' ? /^(--|-=|\/=)$/ : /^(\+\+|--|[-+*/]=)$/;
  return program.some(({ text }, index) => {
    const [before, after] = [program[index - 1]?.text ?? '', program[index + 1]?.text ?? ''];
    return text === name && (steps.test(after) || (/^(\+\+|--)$/.test(before) && steps.test(before)));
  });
}

/** `match(text, …)` of a text that is set anew, or `sub(…, "")`, which shortens it. */
function isShortening(name: string, args: readonly AwkToken[], program: readonly AwkToken[]): boolean {
  if (name === 'sub') return args[1]?.text === ',' && args[2]?.text === '""';
  if (name !== 'match') return false;
  const text = args[0]?.text === '$' ? [args[0], args[1]] : [args[0]];
  return program.some((_, index) => {
    const isSame = text.every((token, offset) => token?.text === program[index + offset]?.text);
    return isSame && text[0]?.kind !== 'value' && program[index + text.length]?.text === '=';
  });
}

/** `(name in name)`, or `(i = …; i < …; i++)` in either direction with steps of one. */
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
