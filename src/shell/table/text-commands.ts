/**
 * Commands that transform text to standard output.
 *
 * Invariant: no option listed here writes a file, starts another program or follows a growing file, and an operand
 * that would be written to is not accepted.
 */
import { boundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';

const digest: OptionRule = {
  // Without --check: it reads files named by another file.
  options: '-btz --binary --tag --text --zero --help --version',
  operands: { rest: 'file', anyName: true },
};

const headOptions =
  '-qvz -n=# -c=# -# --lines=# --bytes=# --quiet --silent --verbose --zero-terminated --help --version';

/** Without these options it replaces the file. */
const gzip: OptionRule = {
  options: '-dclvtk --decompress --stdout --list --test',
  operands: { rest: 'file' },
  also: ({ options, operands }) => {
    const prints = options.some(({ name }) => /^(c|l|t|stdout|list|test)$/.test(name));
    return prints
      ? undefined
      : boundary('option', operands[0]?.at ?? 0, 'a compressed file is read with -c, -l or -t');
  },
};

const rules: Readonly<Record<string, OptionRule>> = {
  cat: {
    options: `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs
      --show-nonprinting --help --version`,
    operands: { rest: 'file', anyName: true },
  },
  tac: { options: '-br -s= --before --regex --separator=', operands: { rest: 'file', anyName: true } },
  head: { options: headOptions, operands: { rest: 'file', anyName: true } },
  tail: { options: headOptions, operands: { rest: 'file' } },
  wc: {
    options: '-clLmw --bytes --chars --lines --words --max-line-length --total= --help --version',
    operands: { rest: 'file', anyName: true },
  },
  nl: {
    options: `-p -b= -d= -f= -h= -i=# -l=# -n= -s= -v=# -w=# --body-numbering= --header-numbering=
      --footer-numbering= --number-format= --number-separator= --number-width=# --starting-line-number=#`,
    operands: { rest: 'file', anyName: true },
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
    // A second operand is the output file.
    operands: { leading: ['file'] },
    order: 'options-first',
  },
  cut: {
    options: `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited
      --output-delimiter= --zero-terminated`,
    operands: { rest: 'file', anyName: true },
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
  paste: {
    options: '-sz -d= --serial --delimiters= --zero-terminated',
    operands: { rest: 'file', anyName: true },
  },
  column: {
    options: `-etxJ -s= -o= -c=# -N= -R= -n= --table --separator= --output-separator= --output-width=#
      --table-columns= --table-right= --table-name= --fillrows --json`,
    operands: { rest: 'file' },
  },
  fold: { options: '-bs -w=# --bytes --spaces --width=#', operands: { rest: 'file', anyName: true } },
  fmt: { options: '-cstu -w=# -p= --width=# --split-only --uniform-spacing', operands: { rest: 'file' } },
  expand: { options: '-i -t= --initial --tabs=', operands: { rest: 'file' } },
  unexpand: { options: '-a -t= --all --first-only --tabs=', operands: { rest: 'file' } },
  rev: { operands: { rest: 'file', anyName: true } },
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
  shasum: { options: '-bt -a=# --algorithm=# --binary --text', operands: { rest: 'file' } },
  md5: { options: '-qr', operands: { rest: 'file' } },
  sum: { options: '-rs', operands: { rest: 'file' } },
  base64: { options: '-diD -w=# --decode --ignore-garbage --wrap=#', operands: { leading: ['file'] } },
  base32: { options: '-di -w=# --decode --wrap=#', operands: { leading: ['file'] } },
  shuf: {
    options: '-erz -n=# -i= --echo --head-count=# --input-range= --repeat --zero-terminated',
    operands: { rest: 'file' },
    // Repeating without a count does not end.
    also: ({ options }) => {
      const repeats = options.find(({ name }) => name === 'r' || name === 'repeat');
      const isCounted = options.some(({ name }) => name === 'n' || name === 'head-count');
      return repeats && !isCounted
        ? boundary('option', repeats.word.at, 'repeating does not end')
        : undefined;
    },
  },
  iconv: { options: '-cl -f= -t= --from-code= --to-code= --list', operands: { rest: 'file' } },
  numfmt: {
    options:
      '--to= --from= --suffix= --padding=# --field= --header=? --format= --round= --to-unit= --from-unit= -d=',
    operands: { rest: 'text' },
  },
  tsort: { operands: { leading: ['file'] } },
  factor: { operands: { rest: 'text' } },
  zcat: { options: '-f', operands: { rest: 'file' } },
  bzcat: { operands: { rest: 'file' } },
  xzcat: { operands: { rest: 'file' } },
  gzip,
  gunzip: gzip,
  nm: {
    options: '-aACDgnopruS --defined-only --demangle --dynamic --extern-only --undefined-only',
    operands: { rest: 'file' },
  },
  readelf: {
    options: '-adehlnrsSVW --all --dynamic --file-header --program-headers --sections --symbols --wide',
    operands: { rest: 'file' },
  },
  size: { options: '-ABdotx', operands: { rest: 'file' } },
  ptx: { operands: { leading: ['file'] } },
  look: { options: '-df', operands: { leading: ['text', 'file'] } },
  colrm: { operands: { leading: ['text', 'text'] } },
};

export const textCommands: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)]),
);
