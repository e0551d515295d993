/**
 * Parses `[[ … ]]`: conditions of the test command and comparisons with a pattern, joined by `&&` and `||`.
 *
 * Invariant: a condition becomes a command that compares text; arithmetic on text, regular expressions and the order
 * of text are refused.
 */
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import type { GroupCommand, MatchCommand, ScriptStep, ShellCommand, ShellWord } from './shell-list.ts';
import type { ShellScanner, Token } from './shell-scanner.ts';
import { atOf, quotedWord } from './simple-command.ts';

export interface Conditions {
  readonly stage: ShellCommand | MatchCommand | GroupCommand;
  /** The number of further commands. */
  readonly count: number;
}

type Condition = ShellCommand | MatchCommand;

/** The conditions from the opening brackets, which are the next token, to the closing ones. */
export function readConditions(scanner: ShellScanner): Conditions | ShellBoundary {
  const opening = scanner.next();
  if (isBoundary(opening)) return opening;
  const at = atOf(opening);
  // `&&` binds tighter than `||`.
  const alternatives: Condition[][] = [[]];
  for (;;) {
    const found = readCondition(scanner, at);
    if (isBoundary(found)) return found;
    alternatives.at(-1)?.push(found.condition);
    if (found.joiner === ']]') break;
    if (found.joiner === '||') alternatives.push([]);
  }
  const all = alternatives.flat();
  const [only] = all;
  if (only && all.length === 1) return { stage: only, count: 0 };
  const groups = alternatives.map((conditions) =>
    groupOf(
      conditions.map((each) => [each]),
      'success',
      at,
    ),
  );
  const [first] = groups;
  const stage =
    first && groups.length === 1
      ? first
      : groupOf(
          groups.map((each) => [each]),
          'failure',
          at,
        );
  return { stage, count: all.length - 1 };
}

function groupOf(
  pipelines: readonly ScriptStep['pipeline'][],
  then: 'success' | 'failure',
  at: number,
): GroupCommand {
  const body = pipelines.map((pipeline, index) => ({
    when: index === 0 ? ('always' as const) : then,
    negated: false,
    pipeline,
  }));
  return { kind: 'group', scope: 'shared', body, input: undefined, redirects: [], at };
}

interface FoundCondition {
  readonly condition: Condition;
  readonly joiner: '&&' | '||' | ']]';
}

function readCondition(scanner: ShellScanner, at: number): FoundCondition | ShellBoundary {
  const words: ShellWord[] = [];
  for (;;) {
    const token = scanner.next();
    if (isBoundary(token)) return token;
    const joiner = joinerOf(token);
    if (joiner) {
      const condition = conditionOf(words, at);
      return isBoundary(condition) ? condition : { condition, joiner };
    }
    // A redirect operator would compare, and a parenthesis would group.
    if (token.kind !== 'word' || token.more.length > 0)
      return boundary('keyword', atOf(token), 'this part of [[ is not read');
    words.push(token.word);
  }
}

function joinerOf(token: Token): FoundCondition['joiner'] | undefined {
  if (token.kind === 'word') return token.word.bare && token.word.text === ']]' ? ']]' : undefined;
  if (token.kind !== 'joiner') return undefined;
  return token.joiner === '&&' || token.joiner === '||' ? token.joiner : undefined;
}

function conditionOf(words: readonly ShellWord[], at: number): Condition | ShellBoundary {
  const isNegated = words[0]?.bare === true && words[0].text === '!';
  const match = matchOf(isNegated ? words.slice(1) : words, isNegated);
  if (match) return match;
  const odd = words.find(({ pattern, text }) => pattern || /^(=~|-[aov])$/.test(text));
  if (odd || words.length === 0)
    return boundary('keyword', odd?.at ?? at, 'of [[ only conditions on files, text and numbers are read');
  const bracket = (text: string): ShellWord => ({
    text,
    at,
    bare: true,
    pattern: undefined,
    respelled: true,
  });
  const argv = [bracket('['), ...words.map(quotedWord), bracket(']')];
  return { kind: 'simple', argv, input: undefined, redirects: [], assignments: [], at };
}

/** `value == pattern` if the right side has wildcards; equal text is compared by the test command. */
function matchOf(
  [value, operator, right, ...more]: readonly ShellWord[],
  isNegated: boolean,
): MatchCommand | undefined {
  if (!value || value.pattern || !operator?.bare || !right?.pattern || more.length > 0) return undefined;
  if (!/^(==?|!=)$/.test(operator.text)) return undefined;
  return {
    kind: 'match',
    value: quotedWord(value),
    pattern: right.pattern,
    negated: isNegated !== (operator.text === '!='),
    input: undefined,
    redirects: [],
    at: value.at,
  };
}
