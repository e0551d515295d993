/**
 * Commands that turn text into other text on their standard output.
 *
 * Invariant: no option listed here writes a file, starts another program or follows a file as it grows, and
 * where a further operand would be written to, there is none.
 */
import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';

const digest: OptionRule = {
  options: `-bctwz --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn
    --help --version`,
  operands: { rest: 'file' },
};

const headOptions =
  '-qvz -n=# -c=# -# --lines=# --bytes=# --quiet --silent --verbose --zero-terminated --help --version';

const rules: Readonly<Record<string, OptionRule>> = {
  cat: {
    options: `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs
      --show-nonprinting --help --version`,
    operands: { rest: 'file' },
  },
  tac: { options: '-br -s= --before --regex --separator=', operands: { rest: 'file' } },
  head: { options: headOptions, operands: { rest: 'file' } },
  tail: { options: headOptions, operands: { rest: 'file' } },
  wc: {
    options: '-clLmw --bytes --chars --lines --words --max-line-length --total= --help --version',
    operands: { rest: 'file' },
  },
  nl: {
    options: `-p -b= -d= -f= -h= -i=# -l=# -n= -s= -v=# -w=# --body-numbering= --header-numbering=
      --footer-numbering= --number-format= --number-separator= --number-width=# --starting-line-number=#`,
    operands: { rest: 'file' },
  },
  sort: {
    options: `-bdfgiMhnRrVcCmsuz -k= -t= --ignore-leading-blanks --dictionary-order --ignore-case
      --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort
      --reverse --sort= --version-sort --check=? --merge --key= --field-separator= --stable --unique
      --zero-terminated --debug --help --version`,
    operands: { rest: 'file' },
  },
  uniq: {
    options: `-cdDiuz -f=# -s=# -w=# --count --repeated --all-repeated=? --group=? --ignore-case --skip-fields=#
      --skip-chars=# --unique --zero-terminated --check-chars=# --help --version`,
    // A second operand is the file the result is written to.
    operands: { leading: ['file'] },
    order: 'options-first',
  },
  cut: {
    options: `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited
      --output-delimiter= --zero-terminated`,
    operands: { rest: 'file' },
  },
  tr: {
    options: '-cCdst --complement --delete --squeeze-repeats --truncate-set1',
    operands: { leading: ['text', 'text'] },
    order: 'options-first',
  },
  diff: {
    options: `-abBcdeEinNpqrstTuwyZ -U=# -C=# -x= -I= -W=# -L= -F= -# --text --brief --unified=? --context=?
      --normal --report-identical-files --side-by-side --width=# --left-column --suppress-common-lines --recursive
      --new-file --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines
      --ignore-trailing-space --ignore-tab-expansion --ignore-matching-lines= --strip-trailing-cr --exclude=
      --label= --color=? --minimal --speed-large-files --no-dereference --show-c-function --expand-tabs
      --help --version`,
    operands: { leading: ['file', 'file'] },
  },
  cmp: {
    options: '-bls -n=# --print-bytes --bytes=# --verbose --quiet --silent',
    operands: { leading: ['file', 'file'] },
  },
  comm: {
    options: '-123iz --output-delimiter= --total --check-order --nocheck-order --zero-terminated',
    operands: { leading: ['file', 'file'] },
  },
  join: {
    options: '-iz -a=# -e= -1=# -2=# -j=# -o= -t= -v=# --ignore-case --header --check-order --nocheck-order',
    operands: { leading: ['file', 'file'] },
  },
  paste: { options: '-sz -d= --serial --delimiters= --zero-terminated', operands: { rest: 'file' } },
  column: {
    options: `-etxJ -s= -o= -c=# -N= -R= -n= --table --separator= --output-separator= --output-width=#
      --table-columns= --table-right= --table-name= --fillrows --json`,
    operands: { rest: 'file' },
  },
  fold: { options: '-bs -w=# --bytes --spaces --width=#', operands: { rest: 'file' } },
  fmt: { options: '-cstu -w=# -p= --width=# --split-only --uniform-spacing', operands: { rest: 'file' } },
  expand: { options: '-i -t= --initial --tabs=', operands: { rest: 'file' } },
  unexpand: { options: '-a -t= --all --first-only --tabs=', operands: { rest: 'file' } },
  rev: { operands: { rest: 'file' } },
  od: {
    options: `-abcdfhilosvx -A= -j= -N= -t= -S=# -w=? --address-radix= --skip-bytes= --read-bytes= --format=
      --strings=? --output-duplicates --width=?`,
    operands: { rest: 'file' },
  },
  hexdump: { options: '-bcCdovx -n=# -s= -e=', operands: { rest: 'file' } },
  strings: { options: '-af -n=# -t= -e= --all --bytes=# --radix= --encoding=', operands: { rest: 'file' } },
  md5sum: digest,
  sha1sum: digest,
  sha224sum: digest,
  sha256sum: digest,
  sha384sum: digest,
  sha512sum: digest,
  b2sum: digest,
  cksum: { operands: { rest: 'file' } },
  shasum: { options: '-bctqsw -a=# --algorithm=# --binary --check --text', operands: { rest: 'file' } },
};

export const textCommands: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)]),
);
