/**
 * The git commands that only read, each with the options it may have.
 *
 * Invariant: what is allowed here neither changes a repository nor talks to another one, provided it runs
 * hardened (see run/git-hardening.ts): git by itself runs programs that a repository names.
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
  if (name === '--version' || name === 'version') return versionRule(call.rest);
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
  /** The directory git is told to change to first. */
  readonly directory: ShellWord | undefined;
  readonly subcommand: ShellWord;
  /** How many words stand before the subcommand. */
  readonly offset: number;
  readonly rest: readonly ShellWord[];
}

/** Takes the words after `git` apart; of its own options those are read that change where it looks, or how it prints. */
export function readGitCall(args: readonly ShellWord[]): GitCall | ShellBoundary {
  let directory: ShellWord | undefined;
  let offset = 0;
  while (offset < args.length) {
    const word = args[offset];
    if (word === undefined || word.pattern) break;
    if (/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/.test(word.text))
      offset += 1;
    else if (word.text === '-c' && printing.test(args[offset + 1]?.text ?? '')) offset += 2;
    else if (word.text === '-C' && directory === undefined) {
      directory = args[offset + 1];
      if (directory?.pattern || directory?.text === '') break;
      offset += 2;
    } else if (word.text.startsWith('-') && word.text !== '--version') {
      return boundary('option', word.at, `the option ${word.text} of git is not known to only read`);
    } else {
      return { directory, subcommand: word, offset, rest: args.slice(offset + 1) };
    }
  }
  return boundary('git-subcommand', args[offset]?.at ?? 0, 'no subcommand of git is named');
}

/** Settings that change how git prints, and nothing else. */
const printing =
  /^(color\.[a-z.]+|core\.quote[pP]ath|column\.ui|log\.date|log\.decorate|core\.pager=cat|advice\.\w+|diff\.(renames|noprefix|algorithm|colorMoved|context)|core\.abbrev)(=[\w:%-]*)?$/;

const versionRule = optionRule({});
