/**
 * The jq filters that terminate. The language can neither write nor run anything, so only filters that load other
 * programs, show the environment or never end are refused.
 *
 * Invariant: every name in function position is a builtin of the list below or defined by the filter itself, and no
 * definition is recursive.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { CommandRule, CommandVerdict, ReadFile } from '../command/command-rule.ts';
import { hiddenName, optionRule } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';
import { type JqToken, jqTokens } from './jq-token.ts';
import { isUnwritten } from './sed-script.ts';
import { UnreadCode } from './unread-code.ts';

/** These options take two words each, which getopt cannot express; they are removed first. */
const pairs: Readonly<Record<string, 'text' | 'file'>> = {
  '--arg': 'text',
  '--argjson': 'text',
  '--slurpfile': 'file',
  '--rawfile': 'file',
};

export const jqRule: CommandRule = (args) => {
  const others: ShellWord[] = [];
  const reads: ReadFile[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === undefined || word.text === '--')
      return withReads(options([...others, ...args.slice(index)]), reads);
    const kind = Object.hasOwn(pairs, word.text) ? pairs[word.text] : undefined;
    if (kind === undefined) {
      others.push(word);
      continue;
    }
    const [, value] = args.slice(index + 1, index + 3);
    const refused = refusePair(word, args.slice(index + 1, index + 3), kind);
    if (refused) return refused;
    if (value && kind === 'file' && !value.provided) reads.push({ path: value.text, at: value.at });
    index += 2;
  }
  return withReads(options(others), reads);
};

function refusePair(
  option: ShellWord,
  words: readonly ShellWord[],
  kind: 'text' | 'file',
): ShellBoundary | undefined {
  const pattern = words.find((each) => each.pattern);
  if (pattern) return boundary('glob', pattern.at, `the value of ${option.text} is a pattern; quote it`);
  const [, value] = words;
  if (value === undefined) return boundary('option', option.at, `${option.text} lacks its values`);
  return hiddenName(value, kind);
}

function withReads(verdict: CommandVerdict, reads: readonly ReadFile[]): CommandVerdict {
  return verdict.kind === 'boundary' ? verdict : { ...verdict, reads: [...verdict.reads, ...reads] };
}

const options = optionRule({
  options: `-rcnsRjaSCMebhV --raw-output --compact-output --null-input --slurp --raw-input --join-output
    --ascii-output --sort-keys --color-output --monochrome-output --exit-status --tab --indent=# --stream
    --stream-errors --unbuffered --seq --raw-output0 --args --jsonargs --binary --version --help
    --build-configuration`,
  operands: { leading: ['text'], rest: 'file', anyName: true },
  also: ({ operands }) => refuseFilter(operands[0]),
});

/**
 * YAML is read by filters of the same language. Its programs have further operators that read files and variables;
 * since these are called by name, none of them is accepted. Nor are comments, which not every program knows.
 */
export const yqRule: CommandRule = (args) => {
  const operands = args.filter(({ text }) => !text.startsWith('-'));
  const [first] = operands;
  if (first?.bare && /^(eval|e|eval-all|ea)$/.test(first.text))
    return yqRule(args.filter((word) => word !== first));
  // Without a filter, a file is printed.
  const isFile = operands.length === 1 && /\.(ya?ml|json|xml|toml)$/.test(first?.text ?? '');
  const at = first?.at ?? 0;
  if (!isFile && first?.text.includes('#'))
    return boundary('script', at, 'a comment in a filter is not read');
  return (isFile ? yqFile : yqFilter)(args);
};

const yqOptions = `-rcnejaSCMPNyYvV -o= -p= -I=# --raw-output --output-format= --input-format= --prettyPrint --no-colors
  --colors --null-input --exit-status --unwrapScalar=? --no-doc --indent=# --yaml-output --version --help`;

const yqFile = optionRule({ options: yqOptions, operands: { leading: ['file'] } });
const yqFilter = optionRule({
  options: yqOptions,
  operands: { leading: ['text'], rest: 'file', anyName: true },
  also: ({ operands }) => refuseFilter(operands[0]),
});

function refuseFilter(filter: ShellWord | undefined): ShellBoundary | undefined {
  if (filter === undefined) return undefined;
  if (isUnwritten(filter, /^[.\w[\]"]+$/))
    return boundary('script', filter.at, 'a jq filter must be written out');
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
  IN INDEX abs acos add all any arrays ascii ascii_downcase ascii_upcase asin atan atan2 booleans bsearch builtins
  capture cbrt ceil combinations contains cos cosh count date dateadd datesub debug del delpaths drem empty endswith
  error exp exp10 exp2 explode fabs false finites first flatten floats floor fma fmax fmin format from_entries
  fromdate fromdateiso8601 fromjson fromstream gamma getpath gmtime group_by gsub halt halt_error has have_decnum
  have_literal_numbers implode in index indices input input_filename input_line_number inputs inside isempty
  isinfinite isnan isnormal isvalid iterables join keys keys_unsorted last ldexp leaf_paths length limit localtime log
  log10 log2 logb ltrim ltrimstr map map_values match max max_by min min_by mktime nan nearbyint not now nth null
  nulls numbers objects path paths pick pow range recurse recurse_down reverse rindex round rtrim rtrimstr scalars
  scan select setpath significand sin sinh skip sort sort_by split splits sqrt startswith stderr strflocaltime
  strftime strings strptime sub tan tanh test to_entries toarray toboolean todate todateiso8601 tojson tonumber
  tostream tostring transpose trim trimstr true trunc truncate_stream type unique unique_by utf8bytelength values walk
  with_entries`);

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
