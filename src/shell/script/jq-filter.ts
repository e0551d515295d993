/**
 * The jq filters that terminate. The language can neither write nor run anything, so only filters that load other
 * programs, show the environment or never end are refused.
 *
 * Invariant: every name in function position is a builtin of the list below or defined by the filter itself, and no
 * definition is recursive.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { optionRule } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';
import { type JqToken, jqTokens } from './jq-token.ts';
import { UnreadCode } from './unread-code.ts';

/** `--arg` and `--argjson` take two words each, which getopt cannot express; they are removed first. */
export const jqRule: CommandRule = (args) => {
  const others: ShellWord[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word?.text === '--') return options([...others, ...args.slice(index)]);
    if (word === undefined || (word.text !== '--arg' && word.text !== '--argjson')) {
      if (word) others.push(word);
      continue;
    }
    const taken = args.slice(index + 1, index + 3);
    const pattern = taken.find((each) => each.pattern);
    if (pattern) return boundary('glob', pattern.at, `the value of ${word.text} is a pattern; quote it`);
    if (taken.length < 2) return boundary('option', word.at, `${word.text} lacks its values`);
    index += 2;
  }
  return options(others);
};

const options = optionRule({
  options: `-rcnsRjaSCMeV --raw-output --compact-output --null-input --slurp --raw-input --join-output
    --ascii-output --sort-keys --color-output --monochrome-output --exit-status --tab --indent=# --stream
    --unbuffered --seq --raw-output0 --version --help`,
  operands: { leading: ['text'], rest: 'file' },
  also: ({ operands }) => refuseFilter(operands[0]),
});

function refuseFilter(filter: ShellWord | undefined): ShellBoundary | undefined {
  if (filter === undefined) return undefined;
  if (filter.opaque) return boundary('script', filter.at, 'a jq filter must be written out');
  try {
    const word = refusedWord(jqTokens(filter.text));
    return word === undefined
      ? undefined
      : boundary('script', filter.at, `the jq filter holds ${word}, which is not known to end`);
  } catch (thrown) {
    if (!(thrown instanceof UnreadCode)) throw thrown;
    return boundary('script', filter.at, `the jq filter is not read from "${thrown.from.slice(0, 20)}"`);
  }
}

const keywords = words('if then elif else end as reduce foreach try catch and or label break def __loc__');

const builtins = words(`
  add all any arrays ascii ascii_downcase ascii_upcase booleans bsearch builtins capture ceil combinations contains
  count date dateadd datesub debug del delpaths empty endswith error explode first flatten floats floor fabs finites
  format from_entries fromdate fromdateiso8601 fromjson fromstream getpath gmtime group_by gsub halt halt_error has
  implode in index indices input input_filename input_line_number inputs inside isempty isnan isnormal isvalid
  iterables join keys keys_unsorted last leaf_paths length limit localtime log log10 log2 exp exp10 exp2
  ltrimstr ltrim map map_values match max max_by min min_by mktime nan not now nth nulls numbers objects path paths
  pick pow range recurse recurse_down reverse rindex rtrimstr rtrim round scalars scan select setpath sort sort_by
  split splits sqrt startswith stderr strflocaltime strftime strings strptime sub test toarray toboolean to_entries
  todate todateiso8601 tojson tonumber tostream tostring transpose trim trimstr truncate_stream trunc type unique unique_by
  utf8bytelength values walk with_entries getpath tojson abs skip significand min_by ascii
  ltrimstr limit splits true false null`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** The first word that is not known to be harmless. */
function refusedWord(tokens: readonly JqToken[]): string | undefined {
  let defined: ReadonlySet<string> = new Set();
  for (const [index, token] of tokens.entries()) {
    if (isRefusedValue(tokens, index)) return token.text;
    if (token.kind !== 'name') continue;
    if (token.text === 'def') {
      const names = definition(tokens, index);
      if (names === undefined) return 'a definition that may call itself';
      defined = new Set([...defined, ...names]);
    }
    const isKnown = keywords.has(token.text) || builtins.has(token.text) || defined.has(token.text);
    if (!isKnown || isEndlessRecursion(tokens, index)) return token.text;
  }
  return undefined;
}

/** The environment, and a number that makes a range too long. */
function isRefusedValue(tokens: readonly JqToken[], index: number): boolean {
  const token = tokens[index];
  if (token?.kind === 'variable') return token.text === '$ENV';
  return token?.kind === 'number' && Number(token.text) > 1e7 && isInRange(tokens, index);
}

function isEndlessRecursion(tokens: readonly JqToken[], index: number): boolean {
  const isGiven = tokens[index]?.text === 'recurse' && tokens[index + 1]?.text === '(';
  return isGiven && !descends(tokens.slice(index + 2));
}

/** The names that a definition introduces: its own and its parameters; undefined if it is recursive. */
function definition(tokens: readonly JqToken[], at: number): readonly string[] | undefined {
  const own = tokens[at + 1];
  if (own?.kind !== 'name') return undefined;
  const parameters =
    tokens[at + 2]?.text === '(' ? tokens.slice(at + 3, closingParenthesis(tokens, at + 3)) : [];
  const start = tokens[at + 2]?.text === '(' ? at + 3 + parameters.length + 1 : at + 2;
  if (!endsWithoutCalling(own.text, tokens.slice(start))) return undefined;
  return [own, ...parameters].filter(({ kind }) => kind === 'name').map(({ text }) => text);
}

function closingParenthesis(tokens: readonly JqToken[], from: number): number {
  const found = tokens.findIndex(({ text }, index) => index >= from && text === ')');
  return found < 0 ? tokens.length : found;
}

/** Whether a body ends in its semicolon and names neither the function nor an earlier definition. */
function endsWithoutCalling(name: string, body: readonly JqToken[]): boolean {
  let depth = 0;
  for (const { kind, text } of body) {
    if (kind === 'symbol' && '([{'.includes(text)) depth += 1;
    if (kind === 'symbol' && ')]}'.includes(text)) depth -= 1;
    if (kind === 'name' && (text === name || text === 'def')) return false;
    if (depth === 0 && text === ';') return true;
  }
  return false;
}

/** Whether each recursion descends by a field or an element, so that it ends with the data. */
function descends(tokens: readonly JqToken[]): boolean {
  const close = tokens.findIndex(({ kind, text }) => kind === 'symbol' && text === ')');
  const argument = tokens
    .slice(0, Math.max(0, close))
    .map(({ text }) => text)
    .join('');
  return /^(\.[A-Za-z_]\w*|\.?\[\]|\?)+$/.test(argument);
}

function isInRange(tokens: readonly JqToken[], index: number): boolean {
  return tokens
    .slice(0, index)
    .some(({ kind, text }) => kind === 'name' && /^(range|limit|nth|combinations)$/.test(text));
}
