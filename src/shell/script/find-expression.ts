/**
 * The expressions of find that only test and print.
 *
 * Invariant: every word is a path before the expression, a predicate of the table, or the value of one.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import { checkPattern, hiddenName } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

export const findRule: CommandRule = (args) => {
  const start = args.findIndex((word) => !/^-[HP]$/.test(word.text));
  const rest = start < 0 ? [] : args.slice(start);
  const turn = rest.findIndex((word) => isExpression(word.text));
  const paths = turn < 0 ? rest : rest.slice(0, turn);
  const reads = paths.map(({ text, at }) => ({ path: text, at }));
  return refusePaths(paths) ?? refuseExpression(turn < 0 ? [] : rest.slice(turn)) ?? allowed(reads);
};

/** Predicates, actions and operators without a value. */
const plain =
  words(`-empty -readable -writable -executable -nouser -nogroup -true -false -prune -quit -print -print0
  -ls -depth -d -mount -xdev -noleaf -daystart -ignore_readdir_race -noignore_readdir_race -nowarn -warn
  -not -a -and -o -or ! ( ) , -help --help -version --version`);

/** Predicates and actions with one value. */
const valued =
  words(`-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type
  -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -maxdepth -mindepth -perm -user -group
  -uid -gid -links -inum -samefile -printf -fstype -used`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

function isExpression(text: string): boolean {
  return text.startsWith('-') || text === '!' || text === '(' || text === ')' || text === ',';
}

function refusePaths(paths: readonly ShellWord[]): ShellBoundary | undefined {
  for (const word of paths) {
    const refused = word.pattern ? checkPattern(word, 'any') : hiddenName(word, 'file');
    if (refused) return refused;
  }
  return undefined;
}

function refuseExpression(expression: readonly ShellWord[]): ShellBoundary | undefined {
  for (let index = 0; index < expression.length; index++) {
    const word = expression[index];
    if (word === undefined) break;
    if (word.pattern || word.opaque) {
      return boundary('glob', word.at, 'the expression must be written out; quote its patterns');
    }
    if (plain.has(word.text)) continue;
    if (!valued.has(word.text) && !/^-newer[aBcm][aBcmt]$/.test(word.text)) {
      return boundary('option', word.at, `${word.text} is not known to only read`);
    }
    index += 1;
    const value = expression[index];
    if (value === undefined) return boundary('option', word.at, `${word.text} lacks its value`);
    if (value.pattern) return boundary('glob', value.at, `the value of ${word.text} is a pattern; quote it`);
  }
  return undefined;
}
