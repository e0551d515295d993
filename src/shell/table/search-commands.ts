/**
 * Commands that search in files.
 *
 * Invariant: options that start another program (decompressors, preprocessors, pagers, a command per match) are not
 * listed here.
 */
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
    --dereference-recursive --line-buffered --null-data --help --version`,
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
    --field-match-separator= --context-separator= --include-zero`,
  operands: { leading: ['text'], unless: ['e', 'f', 'regexp', 'file', 'files', 'type-list'], rest: 'file' },
};

const fd: OptionRule = {
  options: `-HIusigFp01aqV -d=# -t= -e= -E= -c= -S= -o= -j=# --hidden --no-ignore --no-ignore-vcs --no-ignore-parent
    --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --full-path --print0
    --absolute-path --max-depth=# --min-depth=# --exact-depth=# --type= --extension= --exclude= --color= --size=
    --owner= --changed-within= --changed-before= --max-results=# --threads=# --quiet --prune --version --help
    --strip-cwd-prefix --one-file-system --relative-path`,
  operands: { leading: ['text'], rest: 'file' },
};

const ag: OptionRule = {
  options: `-ilcnovwsQHUuat0 -A=# -B=# -C=# -G= -m=# --ignore-case --files-with-matches --files-without-matches --count
    --nonumbers --only-matching --invert-match --word-regexp --literal --hidden --ignore= --ignore-dir= --depth=#
    --nocolor --noheading --nogroup --group --color --column --stats --vimgrep --after=# --before=# --context=#
    --js --ts --python --go --java --json --md --html --css --rust --cpp --cc`,
  operands: { leading: ['text'], rest: 'file' },
};

/** A script around gzip and grep, which runs both from system directories. */
const zgrep: OptionRule = {
  options: '-EFGivwxclnhHoq -e= -m=# -A=# -B=# -C=#',
  operands: { leading: ['text'], unless: ['e'], rest: 'file' },
};

export const searchCommands: ReadonlyMap<string, CommandRule> = new Map([
  ['grep', optionRule(grep)],
  ['egrep', optionRule(grep)],
  ['fgrep', optionRule(grep)],
  ['rg', optionRule(rg)],
  ['ag', optionRule(ag)],
  ['zgrep', optionRule(zgrep)],
  ['fd', optionRule(fd)],
  ['fdfind', optionRule(fd)],
  ['find', findRule],
]);
