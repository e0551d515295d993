/**
 * Finds the variables of a JavaScript program that hold names from a listing: `for (const f of fs.readdirSync('src'))`,
 * and the parameters of the functions that are called for each of them.
 *
 * Invariant: a variable is one of these only if every place that binds it is such a loop or function.
 */
import type { JavaScriptCursor } from './javascript-cursor.ts';
import type { JavaScriptToken } from './javascript-token.ts';

/** The directory in which each of these variables was listed, as written. */
export type JavaScriptListing = ReadonlyMap<string, string>;

export function javascriptListing(tokens: readonly JavaScriptToken[]): JavaScriptListing {
  const found: (readonly [string, string])[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name' || token.text !== 'readdirSync') continue;
    // A function of the program may have the same name.
    if (text(tokens, index - 1) !== '.') continue;
    const directory = tokens[index + 2]?.value;
    const end = callEnd(tokens, index);
    if (directory === undefined || end === undefined || /(^|\/)\.\.(\/|$)/.test(directory)) continue;
    const names = [loopName(tokens, index), ...parameterNames(tokens, end)];
    for (const name of names) if (name !== undefined) found.push([name, directory]);
  }
  return new Map(
    found.filter(([name, directory]) => {
      const own = found.filter(([other]) => other === name);
      return own.every(([, other]) => other === directory) && bindings(tokens, name) === own.length;
    }),
  );
}

/**
 * Whether the first argument of the call at the cursor is a listed name behind its directory: `'src/' + name`,
 * `path.join('src', name)`, or a template of both.
 */
export function isListedName(cursor: JavaScriptCursor, listing: JavaScriptListing): boolean {
  const at = (ahead: number): string => cursor.peek(ahead);
  const literal = (ahead: number): string | undefined => cursor.after(ahead)?.value;
  const isEnd = (ahead: number): boolean => at(ahead) === ')' || at(ahead) === ',';
  const isSame = (name: string, directory: string | undefined): boolean => {
    const listed = listing.get(name);
    return listed !== undefined && listed.replace(/\/$/, '') === directory?.replace(/\/$/, '');
  };
  if (at(2) === '+' && isEnd(4)) return literal(1)?.endsWith('/') === true && isSame(at(3), literal(1));
  const isJoin = at(1) === 'path' && at(2) === '.' && at(3) === 'join' && at(4) === '(';
  if (isJoin) return at(6) === ',' && at(8) === ')' && isEnd(9) && isSame(at(7), literal(5));
  const [, directory, name = ''] = /^`([\w./-]*\/)\$\{(\w+)\}`$/.exec(at(1)) ?? [];
  return isEnd(2) && isSame(name, directory);
}

function text(tokens: readonly JavaScriptToken[], index: number): string {
  const token = tokens[index];
  return token?.kind === 'name' || token?.kind === 'symbol' ? token.text : '';
}

/** The position behind `readdirSync('…')`, with which names as text are listed. */
function callEnd(tokens: readonly JavaScriptToken[], at: number): number | undefined {
  if (text(tokens, at + 1) !== '(') return undefined;
  if (text(tokens, at + 3) === ')') return at + 4;
  const isRecursive = [',', '{', 'recursive', ':', 'true', '}', ')'].every(
    (each, offset) => text(tokens, at + 3 + offset) === each,
  );
  return isRecursive ? at + 10 : undefined;
}

/** The name before `of` if the call, with `fs` or `require('fs')` before it, is what a loop goes through. */
function loopName(tokens: readonly JavaScriptToken[], at: number): string | undefined {
  const isRequired = text(tokens, at - 2) === ')' && text(tokens, at - 5) === 'require';
  const start = isRequired ? at - 5 : at - 2;
  const [of, name, keyword, open, word] = [1, 2, 3, 4, 5].map((back) => text(tokens, start - back));
  const isLoop = of === 'of' && /^(const|let|var)$/.test(keyword ?? '') && open === '(' && word === 'for';
  return isLoop ? name : undefined;
}

/** Methods that call a function for each member, and whether the members stay names in what they return. */
const methods: Readonly<Record<string, boolean>> = {
  filter: true,
  sort: true,
  slice: true,
  reverse: true,
  toSorted: true,
  map: false,
  flatMap: false,
  forEach: false,
  some: false,
  every: false,
  find: false,
};

/** The first parameters of the functions in a chain of methods from `at` on. */
function parameterNames(tokens: readonly JavaScriptToken[], from: number): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (let at = from; text(tokens, at) === '.'; ) {
    const method = text(tokens, at + 1);
    if (!Object.hasOwn(methods, method) || text(tokens, at + 2) !== '(') break;
    if (method !== 'sort' && method !== 'toSorted') names.push(parameterName(tokens, at + 3));
    if (!methods[method]) break;
    const close = closingParenthesis(tokens, at + 2);
    if (close === undefined) break;
    at = close + 1;
  }
  return names;
}

function parameterName(tokens: readonly JavaScriptToken[], at: number): string | undefined {
  if (text(tokens, at + 1) === '=>') return text(tokens, at);
  return text(tokens, at) === '(' && /^[),]$/.test(text(tokens, at + 2)) ? text(tokens, at + 1) : undefined;
}

function closingParenthesis(tokens: readonly JavaScriptToken[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if ('([{'.includes(text(tokens, at) || ' ')) depth += 1;
    if (')]}'.includes(text(tokens, at) || ' ')) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** The number of places at which a name may get a value. */
function bindings(tokens: readonly JavaScriptToken[], name: string): number {
  return tokens.filter((token, index) => {
    if (token.kind !== 'name' || token.text !== name || text(tokens, index - 1) === '.') return false;
    const [before, after] = [text(tokens, index - 1), text(tokens, index + 1)];
    if (/^(const|let|var|function|\+\+|--|\.\.\.)$/.test(before) || after === '=>') return true;
    if (/^([-+*/%&|^]?=|\?\?=|\|\|=|&&=|\+\+|--)$/.test(after)) return true;
    return isParameter(tokens, index);
  }).length;
}

/** Whether a name stands in the parentheses before an arrow, or in a pattern. */
function isParameter(tokens: readonly JavaScriptToken[], index: number): boolean {
  if (!/^[(,[{]$/.test(text(tokens, index - 1))) return false;
  for (let at = index + 1; at < tokens.length; at++) {
    const here = text(tokens, at);
    if (here === ')' || here === '}' || here === ']') return /^(=>|=|of)$/.test(text(tokens, at + 1));
    if (here !== ',' && tokens[at]?.kind !== 'name') return false;
  }
  return false;
}
