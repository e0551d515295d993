/**
 * Commands that show files, directories or their attributes.
 *
 * Invariant: no option listed here writes, starts another program or waits for an event.
 */

import { boundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';

/** A directory directly below the root of the file system. */
function isTop(path: string): boolean {
  return /^\/[^/]*\/*$/.test(path);
}

const rules: Readonly<Record<string, OptionRule>> = {
  ls: {
    options: `-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I= -T=# -w=# --all --almost-all --author --escape
      --block-size= --ignore-backups --color=? --directory --classify=? --file-type --format= --full-time
      --group-directories-first --no-group --human-readable --si --dereference --hide= --indicator-style=
      --inode --ignore= --kibibytes --numeric-uid-gid --literal --quote-name --quoting-style= --reverse
      --recursive --size --sort= --time= --time-style= --width=# --zero --help --version`,
    operands: { rest: 'entry', anyName: true },
    // Of a directory outside, only its own names are shown, not those below it.
    also: ({ options, operands }) => {
      const isDeep = options.some(({ name }) => name === 'R' || name === 'recursive');
      const outside = operands.find(({ text }) => text.startsWith('/') && isTop(text));
      return isDeep && outside
        ? boundary('outside', outside.at, `${outside.text} lies outside the workspace`)
        : undefined;
    },
  },
  stat: {
    options: '-Lft -c= --dereference --file-system --format= --printf= --terse --help --version',
    operands: { rest: 'entry', anyName: true },
  },
  file: {
    options: `-bihkLNn0sr -e= -F= -P= --brief --mime --mime-type --mime-encoding --extension --keep-going --separator=
      --no-dereference --dereference --no-pad --no-buffer --print0 --raw --version`,
    operands: { rest: 'file', anyName: true },
  },
  du: {
    options: `-0abchklmPsSxD -d=# -t=# -B= --inodes --count-links --dereference-args -X=< --exclude-from=< --null --all --apparent-size --bytes --total --max-depth=#
      --human-readable --si --separate-dirs --summarize --one-file-system --exclude= --threshold=#
      --time=? --time-style= --block-size= --help --version`,
    operands: { rest: 'file', anyName: true },
  },
  df: {
    options: `-ahHiklPT -t= -x= -B= --all --human-readable --si --inodes --local --portability --print-type
      --total --output=? --type= --exclude-type= --block-size= --help --version`,
    operands: { rest: 'entry' },
  },
  tree: {
    options: `-adfpsughDFrtUvcCnASNqQxiXJ -L=# -P= -I= --dirsfirst --filesfirst --noreport --gitignore --prune
      --du --si --ignore-case --matchdirs --inodes --device --sort=? --filelimit=# --charset= --timefmt= --gitfile=<
      --infofile=< --metafirst --nolinks --hintro= --houtro= --compress=# --opt-toggle --version --help`,
    operands: { rest: 'file' },
  },
  pwd: { options: '-LP' },
  namei: { options: '-lmnoxv --long --modes --owners --nosymlinks --vertical', operands: { rest: 'entry' } },
  pathchk: { options: '-pP --portability', operands: { rest: 'text' } },
  lsattr: { options: '-adlpvR', operands: { rest: 'entry' } },
  getfacl: { options: '-acdeEsRPtpn --omit-header --numeric --absolute-names', operands: { rest: 'entry' } },
  whereis: { options: '-bmsu', operands: { rest: 'text' } },
  lsblk: { options: '-abdfilmnoprstJPST -o= --all --fs --json --list --output= --paths --bytes' },
  findmnt: {
    options: '-aJlnorDt -t= --all --json --list --noheadings --df --types=',
    operands: { rest: 'text' },
  },
  basename: { options: '-az -s= --multiple --suffix= --zero', operands: { rest: 'text', anyName: true } },
  dirname: { options: '-z --zero', operands: { rest: 'text' } },
  realpath: {
    options: `-eELPmqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip
      --no-symlinks --zero --relative-to= --relative-base=`,
    operands: { rest: 'entry', anyName: true },
  },
  readlink: {
    options: `-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet
      --silent --verbose --zero`,
    operands: { rest: 'entry' },
  },
  unzip: {
    options: '-lvZ1qt',
    operands: { leading: ['file'], rest: 'text' },
    also: ({ options, operands }) => {
      const lists = options.some(({ name }) => /^[lvZt]$/.test(name));
      return lists ? undefined : boundary('option', operands[0]?.at ?? 0, 'unzip is read with -l');
    },
  },
  zipinfo: { options: '-1lsmhtv', operands: { leading: ['file'] } },
  which: { options: '-as --all', operands: { rest: 'text' } },
};

const tar: OptionRule = {
  options: `-tvzjJaOxR -f=< -C=< --to-stdout --extract --get --directory=< --version --help --list --verbose --gzip --bzip2 --xz --zstd --file=< --wildcards --exclude= --full-time
      --numeric-owner`,
  operands: { rest: 'text' },
  also: ({ options }) => {
    const file = options.find(({ name }) => name === 'f' || name === 'file');
    const has = (...names: readonly string[]): boolean => options.some(({ name }) => names.includes(name));
    if (options.length === 1 && has('version', 'help')) return undefined;
    // An extracted file goes to the output only with -O.
    const extracts = has('x', 'extract', 'get');
    const reads = extracts ? has('O', 'to-stdout') && !has('t', 'list') : has('t', 'list');
    // A colon would name another machine.
    if (!reads || file?.value === undefined || /:/.test(file.value)) {
      return boundary('option', file?.word.at ?? 0, 'tar is read with -t, or with -x and -O, and a file');
    }
    return undefined;
  },
};

/** Its first word may be letters without a dash: `tar tzf file`. */
const tarRule: CommandRule = ([first, ...rest]) => {
  const isOld = first !== undefined && /^[tvzjJxO]+f$/.test(first.text);
  return tarOptions(first ? [isOld ? { ...first, text: `-${first.text}` } : first, ...rest] : []);
};

const tarOptions = optionRule(tar);

export const fileCommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)] as const),
  ['tar', tarRule],
]);
