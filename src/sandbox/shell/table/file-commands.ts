/**
 * Commands that show files and directories, or what the system says of them.
 *
 * Invariant: no option listed here writes, starts another program or waits for something to happen.
 */

import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';

const rules: Readonly<Record<string, OptionRule>> = {
  ls: {
    options: `-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I= -T=# -w=# --all --almost-all --author --escape
      --block-size= --ignore-backups --color=? --directory --classify=? --file-type --format= --full-time
      --group-directories-first --no-group --human-readable --si --dereference --hide= --indicator-style=
      --inode --ignore= --kibibytes --numeric-uid-gid --literal --quote-name --quoting-style= --reverse
      --recursive --size --sort= --time= --time-style= --width=# --zero --help --version`,
    operands: { rest: 'entry' },
  },
  stat: {
    options: '-Lft -c= --dereference --file-system --format= --printf= --terse --help --version',
    operands: { rest: 'entry' },
  },
  file: {
    options: '-bihkLNn0 --brief --mime --mime-type --mime-encoding --no-dereference --dereference --version',
    operands: { rest: 'file' },
  },
  du: {
    options: `-0abcDhHklLmPsSx -d=# -t=# -B= --null --all --apparent-size --bytes --total --max-depth=#
      --human-readable --si --dereference --separate-dirs --summarize --one-file-system --exclude= --threshold=#
      --time=? --time-style= --block-size= --help --version`,
    operands: { rest: 'entry' },
  },
  df: {
    options: `-ahHiklPT -t= -x= -B= --all --human-readable --si --inodes --local --portability --print-type
      --total --output=? --type= --exclude-type= --block-size= --help --version`,
    operands: { rest: 'entry' },
  },
  tree: {
    options: `-adflpsughDFrtUvcCnASNqQxiXJ -L=# -P= -I= --dirsfirst --filesfirst --noreport --gitignore --prune
      --du --si --ignore-case --matchdirs --inodes --device --sort= --filelimit=# --charset= --version`,
    operands: { rest: 'entry' },
  },
  pwd: { options: '-LP' },
  basename: { options: '-az -s= --multiple --suffix= --zero', operands: { rest: 'text' } },
  dirname: { options: '-z --zero', operands: { rest: 'text' } },
  realpath: {
    options: `-eELPmqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip
      --no-symlinks --zero --relative-to= --relative-base=`,
    operands: { rest: 'entry' },
  },
  readlink: {
    options: `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet
      --silent --verbose --zero`,
    operands: { rest: 'entry' },
  },
  which: { options: '-as --all', operands: { rest: 'text' } },
};

export const fileCommands: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)]),
);
