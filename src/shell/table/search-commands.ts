/**
 * Commands that search in files.
 *
 * Invariant: options that start another program (decompressors, preprocessors, pagers, a command per match) are not
 * listed here.
 */
import { boundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';
import { findRule } from '../script/find-expression.ts';

const grep: OptionRule = {
  options: `-EFGPivwxycLlqshHnobTUzarRIZ -e= -f=< -m=# -A=# -B=# -C=# -d= -# --extended-regexp --fixed-strings
    --basic-regexp --perl-regexp --regexp= --file=< --ignore-case --no-ignore-case --invert-match --word-regexp
    --line-regexp --count --color=? --colour=? --files-without-match --files-with-matches --max-count=#
    --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label=
    --line-number --initial-tab --null --after-context=# --before-context=# --context=# --text --binary-files=
    --binary --directories= --include= --exclude= --exclude-from=< --exclude-dir= --recursive
    --dereference-recursive --line-buffered --null-data --no-group-separator --group-separator= --help --version -V`,
  operands: { leading: ['text'], unless: ['e', 'f', 'regexp', 'file'], rest: 'file', anyName: true },
};

const rg: OptionRule = {
  options: `-iSsnNlcvwxFPUoHIa.0pquVb -e= -f=< -g= -t= -T= -A=# -B=# -C=# -m=# -j=# -M=# -r= -d=# -E= --ignore-case
    --smart-case --case-sensitive --line-number --no-line-number --files-with-matches --files-without-match --count
    --count-matches --invert-match --word-regexp --line-regexp --fixed-strings --pcre2 --multiline
    --multiline-dotall --only-matching --with-filename --no-filename --text --hidden --no-hidden --null
    --pretty --quiet --unrestricted --version --help --regexp= --file=< --glob= --iglob= --type= --type-not=
    --type-list --after-context=# --before-context=# --context=# --max-count=# --threads=# --max-columns=#
    --max-columns-preview --replace= --max-depth=# --max-filesize=# --encoding= --files --no-ignore
    --no-ignore-vcs --no-ignore-parent --no-ignore-global --no-heading --heading --color= --colors= --column --no-column
    --sort= --sortr= --trim --stats --json --vimgrep --no-messages --no-config --byte-offset --binary
    --one-file-system --passthru --glob-case-insensitive --engine= --crlf --null-data --line-buffered
    --field-match-separator= --field-context-separator= --context-separator= --include-zero --no-ignore-files
    --no-ignore-dot --no-ignore-exclude --no-require-git --ignore-file=< --ignore-file-case-insensitive
    --no-fixed-strings --no-unicode --no-context-separator --stop-on-nonmatch --no-stats --no-trim --pcre2-version
    --debug --no-multiline --type-add= --type-clear= --path-separator= --no-pcre2-unicode --no-mmap --mmap
    --dfa-size-limit= --regex-size-limit= --no-binary --no-glob-case-insensitive`,
  operands: { leading: ['text'], unless: ['e', 'f', 'regexp', 'file', 'files', 'type-list'], rest: 'file' },
};

const fd: OptionRule = {
  options: `-HIusigFp01aqV -d=# -t= -e= -E= -c= -S= -o= -j=# --hidden --no-ignore --no-ignore-vcs --no-ignore-parent
    --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --full-path --print0
    --absolute-path --max-depth=# --min-depth=# --exact-depth=# --type= --extension= --exclude= --color= --size=
    --owner= --changed-within= --changed-before= --max-results=# --threads=# --quiet --prune --version --help
    --strip-cwd-prefix=? --one-file-system --relative-path --and= --no-require-git --ignore-file=< --base-directory=<
    --search-path=< --path-separator= --no-hidden --ignore --show-errors --format=`,
  operands: { leading: ['text'], rest: 'file' },
};

const ag: OptionRule = {
  options: `-ilcnovwsQHUuatSR0 -A=# -B=# -C=# -G= -m=# --ignore-case --files-with-matches --files-without-matches --count
    --nonumbers --only-matching --invert-match --word-regexp --literal --hidden --ignore= --ignore-dir= --depth=#
    --nocolor --noheading --nogroup --group --color --column --stats --vimgrep --after=# --before=# --context=#
    --js --ts --python --go --java --json --md --html --css --rust --cpp --cc --ruby --php --shell --sql --xml --yaml
    --smart-case --case-sensitive --fixed-strings --filename --nofilename --numbers --noaffinity --all-text --all-types
    --unrestricted --skip-vcs-ignores --max-count=# --break --nobreak --heading --print-long-lines --silent -g=
    --file-search-regex= --list-file-types --version`,
  operands: { leading: ['text'], unless: ['g', 'list-file-types', 'version'], rest: 'file' },
};

/** A script around gzip and grep, which runs both from system directories. */
const zgrep: OptionRule = {
  options: '-EFGPivwxclLnhHoqas -e= -m=# -A=# -B=# -C=# -#',
  operands: { leading: ['text'], unless: ['e'], rest: 'file' },
  // Older scripts interpret special characters in the name of a file.
  also: ({ options, operands }) => {
    const names = options.some(({ name }) => name === 'e') ? operands : operands.slice(1);
    const odd = names.find(({ text, pattern }) => !pattern && !/^[\p{L}\p{N}_./ +@%=,*?[\]-]*$/u.test(text));
    return odd && boundary('operand', odd.at, 'the name of a compressed file is not plain');
  },
};

export const searchCommands: ReadonlyMap<string, CommandRule> = new Map([
  ['grep', optionRule(grep)],
  ['egrep', optionRule(grep)],
  ['fgrep', optionRule(grep)],
  ['rg', optionRule(rg)],
  ['ag', optionRule(ag)],
  ['rgrep', optionRule(grep)],
  ...['zgrep', 'zegrep', 'zfgrep', 'bzgrep', 'xzgrep', 'zstdgrep'].map(
    (name) => [name, optionRule(zgrep)] as const,
  ),
  ['fd', optionRule(fd)],
  ['fdfind', optionRule(fd)],
  ['find', findRule],
]);
