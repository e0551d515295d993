/**
 * The expressions of `test` and `[`: conditions, negated or not, joined by `-a` and `-o`.
 *
 * Invariant: values are compared as numbers only if they are written as numbers.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

export const testRule: CommandRule = (args) => {
  const pattern = args.find((word) => word.pattern);
  if (pattern) return boundary('glob', pattern.at, 'a pattern stands in a condition; quote it');
  return isCondition(args.map(({ text }) => text))
    ? allowed()
    : boundary('operand', args[0]?.at ?? 0, 'the condition is not one that is read');
};

/** `[` is `test` with a closing bracket. */
export const bracketRule: CommandRule = (args) => {
  const last: ShellWord | undefined = args.at(-1);
  if (last?.text !== ']') return boundary('operand', last?.at ?? 0, 'the closing bracket is missing');
  return testRule(args.slice(0, -1));
};

/** Conditions joined by `-a` and `-o`. */
function isCondition(words: readonly string[]): boolean {
  const joiner = words.findIndex((word, index) => index > 0 && (word === '-a' || word === '-o'));
  if (joiner < 0) return isSingle(words);
  return isSingle(words.slice(0, joiner)) && isCondition(words.slice(joiner + 1));
}

function isSingle([first, ...rest]: readonly string[]): boolean {
  if (first === '!') return isSingle(rest) && rest[0] !== '!';
  const [second, third] = rest;
  if (first === undefined || rest.length > 2) return false;
  if (second === undefined) return !first.startsWith('-');
  if (third === undefined) return /^-[bcdefghkLnprsStuwxzOGN]$/.test(first);
  if (/^(=|==|!=|-nt|-ot|-ef)$/.test(second)) return true;
  return /^-(eq|ne|lt|le|gt|ge)$/.test(second) && isNumber(first) && isNumber(third);
}

function isNumber(text: string): boolean {
  return /^-?\d+$/.test(text);
}
