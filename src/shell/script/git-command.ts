/**
 * The git commands that only read, each with its allowed options.
 *
 * Invariant: an allowed command neither changes a repository nor contacts another one, provided it runs hardened (see
 * sandbox/readonly/git-hardening.ts): git by itself runs programs that a repository names.
 */
import { posix } from 'node:path';
import { boundary, isBoundary, type ShellBoundary } from '../boundary.ts';
import { allowed, type CommandRule, type ReadFile } from '../command/command-rule.ts';
import { optionRule } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';
import { gitSubcommands } from '../table/git-subcommands.ts';

export const gitRule: CommandRule = (args) => {
  const call = readGitCall(args);
  if (isBoundary(call)) return call;
  const name = call.subcommand.text;
  if (/^(--version|version)$/.test(name)) return versionRule(call.rest);
  if (/^(--help|--exec-path|--html-path|--man-path|--info-path)$/.test(name)) return plainRule(call.rest);
  const rule = gitSubcommands.get(name);
  if (rule === undefined) {
    return boundary('git-subcommand', call.subcommand.at, `git ${name} is not known to only read`);
  }
  const verifying = args.find(({ text }) => /%G|%\(signature|%-G|%\+G|% G/.test(text));
  if (verifying)
    return boundary('git-format', verifying.at, 'the format would run a program to verify a signature');
  const verdict = rule(call.rest);
  const { directory } = call;
  if (isBoundary(verdict) || directory === undefined) return verdict;
  if (directory.opaque === 'text')
    return boundary('operand', directory.at, 'the directory of git must be written out');
  const inside = ({ path, at }: ReadFile): ReadFile => ({
    path: posix.isAbsolute(path) ? path : posix.join(directory.text, path),
    at,
  });
  const reads = [...verdict.reads.map(inside), { path: directory.text, at: directory.at }];
  return allowed(reads, verdict.entries.map(inside));
};

export interface GitCall {
  /** The directory of git's `-C`. */
  readonly directory: ShellWord | undefined;
  readonly subcommand: ShellWord;
  /** The number of words before the subcommand. */
  readonly offset: number;
  readonly rest: readonly ShellWord[];
}

/** Parses the words after `git`; of its own options, those about the directory and the output are accepted. */
export function readGitCall(args: readonly ShellWord[]): GitCall | ShellBoundary {
  let directory: ShellWord | undefined;
  let offset = 0;
  for (let word = args[0]; word && !word.pattern; word = args[offset]) {
    const next = args[offset + 1];
    const isDirectory = word.text === '-C' && directory === undefined;
    if (isDirectory) directory = next;
    if (isDirectory && (next?.pattern || next?.text === '')) break;
    const length = isDirectory ? 2 : printingOptionLength(word, next);
    if (length === 0) return callOf(word, { directory, offset, rest: args.slice(offset + 1) });
    offset += length;
  }
  return boundary('git-subcommand', args[offset]?.at ?? 0, 'no subcommand of git is named');
}

/** The number of words of an option, including itself; 0 for words that are not output options. */
function printingOptionLength(word: ShellWord, next: ShellWord | undefined): 0 | 1 | 2 {
  if (
    /^(--no-pager|-P|--no-optional-locks|--no-replace-objects|--(literal|glob|noglob|icase)-pathspecs)$/.test(
      word.text,
    )
  )
    return 1;
  const setting = next?.text ?? '';
  return word.text === '-c' && (printing.test(setting) || withoutPager.test(setting)) ? 2 : 0;
}

/** The call of the named subcommand; further options of git itself are not accepted. */
function callOf(subcommand: ShellWord, call: Omit<GitCall, 'subcommand'>): GitCall | ShellBoundary {
  const { at, text } = subcommand;
  if (text.startsWith('-') && !/^--(version|help|exec-path|html-path|man-path|info-path)$/.test(text)) {
    return boundary('option', at, `the option ${text} of git is not known to only read`);
  }
  return { ...call, subcommand };
}

/** Settings that only change git's output. */
const printing =
  /^(color\.[a-z.]+|core\.quote[pP]ath|column\.ui|log\.date|log\.decorate|advice\.\w+|diff\.(renames|noprefix|algorithm|colorMoved|context)|core\.abbrev)(=[\w:%-]*)?$/;

/** Settings by whose one value nothing is run. */
const withoutPager = /^(core\.pager=(cat)?|pager\.[a-z-]+=(false|cat)|log\.showSignature=false)$/;

const versionRule = optionRule({ options: '--build-options' });
const plainRule = optionRule({});
