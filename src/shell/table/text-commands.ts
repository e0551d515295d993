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
  options:
    '-dclvtkqN --decompress --stdout --to-stdout --list --test --verbose --quiet --keep --name --robot --version',
  operands: { rest: 'file' },
  also: ({ options, operands }) => {
    const prints = options.some(({ name }) => /^(c|l|t|stdout|to-stdout|list|test|version)$/.test(name));
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
  // At most, an option of a file's name would wait; such a name is refused before the command runs.
  tail: { options: headOptions, operands: { rest: 'file', anyName: true } },
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
      --zero-terminated --debug --parallel=# -S= --buffer-size= --batch-size=# --help --version`,
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
      --show-function-line= --horizon-lines=# --tabsize=# --initial-tab --ignore-file-name-case --palette= --ed --rcs
      --changed-group-format= --unchanged-group-format= --new-group-format= --old-group-format= --new-line-format=
      --old-line-format= --unchanged-line-format= --line-format= --starting-file= --exclude-from=< --from-file=<
      --to-file=< -X=< -S= --help --version`,
    operands: { leading: ['file', 'file'], rest: 'file' },
    // Several files are compared with the one that an option names.
    also: ({ options, operands }) => {
      const isGiven = options.some(({ name }) => name === 'from-file' || name === 'to-file');
      return isGiven || operands.length <= 2
        ? undefined
        : boundary('operand', operands[2]?.at ?? 0, 'diff compares two files');
    },
  },
  // It runs diff from a system directory; with -o it would write.
  sdiff: {
    options: `-bBdEHiltWsaZ -w=# -I= --suppress-common-lines --width=# --left-column --ignore-case --ignore-all-space
      --ignore-space-change --ignore-blank-lines --expand-tabs --minimal --text --strip-trailing-cr`,
    operands: { leading: ['file', 'file'] },
  },
  diff3: {
    options: '-aAeExX3miT -L= --merge --show-all --easy-only --overlap-only --text --label= --initial-tab',
    operands: { leading: ['file', 'file', 'file'] },
  },
  colordiff: {
    options:
      '-abBcdinNpqrstTuwy -U=# -C=# -W=# -x= -I= --unified=? --brief --recursive --side-by-side --width=#',
    operands: { leading: ['file', 'file'] },
  },
  cmp: {
    options: '-bls -n=# -i= --print-bytes --bytes=# --ignore-initial= --verbose --quiet --silent',
    operands: { leading: ['file', 'file', 'text', 'text'] },
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
    options: `-etxJdL -s= -o= -c=# -N= -R= -n= -H= -T= -W= -O= -E= -l=# --table-noheadings --table-hide= --table-truncate=
      --table-wrap= --table-order= --keep-empty-lines --table-columns-limit=# --table --separator= --output-separator= --output-width=#
      --table-columns= --table-right= --table-name= --fillrows --json`,
    operands: { rest: 'file', anyName: true },
  },
  pr: {
    options: `-adFfmtTJ -# -h= -l=# -o=# -w=# -W=# -s=? -n=? -e=? -N=# --header= --length=# --omit-header --across --columns=#
      --merge --width=#`,
    operands: { rest: 'file', anyName: true },
  },
  fold: { options: '-bs -w=# --bytes --spaces --width=#', operands: { rest: 'file', anyName: true } },
  fmt: {
    options: '-cstu -w=# -p= --width=# --split-only --uniform-spacing',
    operands: { rest: 'file', anyName: true },
  },
  expand: { options: '-i -t= -# --initial --tabs=', operands: { rest: 'file', anyName: true } },
  unexpand: { options: '-a -t= --all --first-only --tabs=', operands: { rest: 'file', anyName: true } },
  rev: { operands: { rest: 'file', anyName: true } },
  od: {
    options: `-abcdfhilosvx -A= -j= -N= -t= -S=# -w=? --address-radix= --skip-bytes= --read-bytes= --format=
      --strings=? --output-duplicates --width=? --endian=`,
    operands: { rest: 'file', anyName: true },
  },
  hexdump: {
    options: '-bcCdovx -n=# -s= -e= --length=# --skip= --canonical',
    operands: { rest: 'file', anyName: true },
  },
  hd: { options: '-v -n=# -s=', operands: { rest: 'file', anyName: true } },
  md5sum: digest,
  sha1sum: digest,
  sha224sum: digest,
  sha256sum: digest,
  sha384sum: digest,
  sha512sum: digest,
  b2sum: digest,
  cksum: {
    options: '-a= -l=# --algorithm= --length=# --untagged --tag --raw --base64',
    operands: { rest: 'file' },
  },
  b3sum: { options: '--no-names --raw --num-threads=# --no-mmap', operands: { rest: 'file', anyName: true } },
  shasum: { options: '-bt -a=# --algorithm=# --binary --text', operands: { rest: 'file' } },
  md5: { options: '-qr', operands: { rest: 'file' } },
  sum: { options: '-rs', operands: { rest: 'file' } },
  base64: { options: '-diD -w=# --decode --ignore-garbage --wrap=#', operands: { leading: ['file'] } },
  base32: { options: '-di -w=# --decode --wrap=#', operands: { leading: ['file'] } },
  shuf: {
    options:
      '-erz -n=# -i= --random-source=< --echo --head-count=# --input-range= --repeat --zero-terminated',
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
  iconv: { options: '-cls -f= -t= --from-code= --to-code= --list --silent', operands: { rest: 'file' } },
  // Without operands it converts its input.
  dos2unix: {},
  unix2dos: {},
  numfmt: {
    options:
      '--to= --from= --suffix= --padding=# --field= --header=? --format= --round= --to-unit= --from-unit= -d=',
    operands: { rest: 'text' },
  },
  tsort: { operands: { leading: ['file'] } },
  factor: { operands: { rest: 'text' } },
  zcat: { options: '-fq', operands: { rest: 'file' } },
  bzcat: { operands: { rest: 'file' } },
  xzcat: { operands: { rest: 'file' } },
  lzcat: { operands: { rest: 'file' } },
  lz4cat: { operands: { rest: 'file' } },
  zstdcat: { operands: { rest: 'file' } },
  gzip,
  gunzip: gzip,
  bzip2: gzip,
  bunzip2: gzip,
  xz: gzip,
  unxz: gzip,
  zstd: gzip,
  unzstd: gzip,
  ptx: { operands: { leading: ['file'] } },
  look: { options: '-df', operands: { leading: ['text', 'file'] } },
  colrm: { operands: { leading: ['text', 'text'] } },
};

export const textCommands: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)]),
);
