/**
 * The read-only subcommands of git, with their options.
 *
 * Omitted although they read: `describe --dirty` (rewrites the index), `log --show-signature` and signature formats
 * (run a configured program), `grep -O` (runs a pager), `remote show` and `ls-remote` (contact another machine),
 * `--remerge-diff` (writes objects), `submodule` (runs a shell in each).
 *
 * Invariant: an operand that would create, rename or delete a reference is refused.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule, type ReadCall } from '../command/option-rule.ts';

const diffOptions = `-puszwbaRDW -U=# -M=? -C=? -B=? -S= -G= --patch --no-patch --unified=# --raw --patch-with-raw
  --patch-with-stat --minimal --patience --histogram --diff-algorithm= --stat=? --compact-summary --numstat
  --shortstat --dirstat=? --summary --name-only --name-status --color=? --no-color --color-moved=?
  --word-diff=? --word-diff-regex= --color-words=? --no-renames --check --full-index --binary --abbrev=?
  --find-renames=? --find-copies=? --find-copies-harder --break-rewrites=? --diff-filter= --pickaxe-all --pickaxe-regex
  --relative=? --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space
  --ignore-blank-lines --inter-hunk-context=# --function-context --exit-code --quiet --src-prefix= --dst-prefix=
  --no-prefix --no-ext-diff --no-textconv --cc --combined-all-paths`;

const revisionOptions = `-n=# -# -iEFPq -L= --max-count=# --skip=# --since= --after= --until= --before= --author=
  --committer= --grep= --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings
  --perl-regexp --merges --no-merges --first-parent --all --branches=? --tags=? --remotes=? --glob= --exclude=
  --left-right --left-only --right-only --cherry-mark --cherry-pick --cherry --not --topo-order --date-order
  --author-date-order --reverse --no-walk=? --ancestry-path=? --simplify-by-decoration --full-history --dense --sparse
  --boundary --count --min-parents=# --max-parents=# --walk-reflogs --reflog`;

const logOptions = `${diffOptions} ${revisionOptions} -mcgtr --oneline --graph --decorate=? --no-decorate
  --decorate-refs= --pretty=? --format= --abbrev-commit --no-abbrev-commit --no-abbrev --date= --relative-date --follow
  --source --parents --children --encoding= --notes=? --no-notes --show-notes=? --no-mailmap --mailmap --log-size
  --diff-merges= --no-diff-merges --full-diff --root --show-pulls --no-expand-tabs`;

const refFilters = `--sort= --format= --contains= --no-contains= --merged=? --no-merged=? --points-at= --color=?
  --no-color --ignore-case`;

const rules: Readonly<Record<string, OptionRule>> = {
  status: {
    options: `-sbvz -u=? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=? --ignored=?
      --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=?`,
    operands: { rest: 'entry' },
  },
  diff: {
    options: `${diffOptions} -1230 --cached --staged --merge-base --no-index --base --ours --theirs`,
    operands: { rest: 'file' },
  },
  log: { options: logOptions, operands: { rest: 'entry' } },
  show: { options: logOptions, operands: { rest: 'entry' } },
  whatchanged: { options: logOptions, operands: { rest: 'entry' } },
  blame: {
    options: `-bclstfnepwM -L= -C=? --root --show-stats --porcelain --line-porcelain --incremental --date= --show-name
      --show-number --show-email --abbrev=# --since= --ignore-rev= --reverse --first-parent`,
    operands: { rest: 'entry' },
  },
  'ls-files': {
    options: `-cdmoiskutvz -x= --cached --deleted --modified --others --ignored --stage --unmerged --killed
      --directory --no-empty-directory --exclude= --exclude-standard --full-name --error-unmatch --abbrev=? --eol
      --deduplicate`,
    operands: { rest: 'entry' },
  },
  'ls-tree': {
    options: '-drtlz --name-only --name-status --long --full-name --full-tree --abbrev=? --object-only',
    operands: { rest: 'entry' },
  },
  'rev-parse': {
    options: `-q --abbrev-ref=? --short=? --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir
      --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository
      --is-shallow-repository --symbolic --symbolic-full-name --all --branches=? --tags=? --remotes=?
      --show-superproject-working-tree --revs-only --no-revs --flags --no-flags --show-object-format=?`,
    operands: { rest: 'text' },
  },
  'rev-list': {
    options: `${revisionOptions} --oneline --pretty=? --format= --abbrev-commit --parents --children --objects
      --timestamp --header --graph --date= --no-commit-header`,
    operands: { rest: 'entry' },
  },
  'diff-tree': {
    options: `${diffOptions} -rtmcv --root --no-commit-id --pretty=? --format= --oneline --merge-base`,
    operands: { rest: 'entry' },
  },
  'diff-index': { options: `${diffOptions} -m --cached --merge-base`, operands: { rest: 'entry' } },
  'merge-base': {
    options: '-a --all --octopus --independent --is-ancestor --fork-point',
    operands: { rest: 'text' },
  },
  describe: {
    options: `--all --tags --contains --abbrev=# --candidates=# --exact-match --long --match= --exclude= --always
      --first-parent`,
    operands: { rest: 'text' },
  },
  'name-rev': { options: '--tags --refs= --name-only --always --no-undefined', operands: { rest: 'text' } },
  'cat-file': {
    options: '-ptse --batch-check=? --batch=?',
    operands: { leading: ['text', 'text'] },
    order: 'options-first',
  },
  'show-ref': {
    options: '-sdqh --head --heads --branches --tags --hash=? --dereference --verify --abbrev=? --quiet',
    operands: { rest: 'text' },
  },
  'for-each-ref': { options: `${refFilters} --count=#`, operands: { rest: 'text' } },
  shortlog: {
    options: `${revisionOptions} -nsec --numbered --summary --email --committer --group= --format= --date=`,
    operands: { rest: 'text' },
  },
  grep: {
    options: `-nilcvwhHEFGPaIorqzpWL -e= -A=# -B=# -C=# -m=# -# --line-number --ignore-case --files-with-matches
      --name-only --files-without-match --count --invert-match --word-regexp --extended-regexp --fixed-strings
      --basic-regexp --perl-regexp --text --only-matching --column --color=? --no-color --heading --break
      --show-function --function-context --after-context=# --before-context=# --context=# --max-depth=# --and --or
      --not --all-match --quiet --cached --untracked --no-index --full-name --recursive --no-recursive
      --no-textconv --threads=#`,
    operands: { leading: ['text'], unless: ['e'], rest: 'file' },
  },
  'diff-files': { options: diffOptions, operands: { rest: 'entry' } },
  cherry: { options: '-v --verbose --abbrev=?', operands: { rest: 'text' } },
  'show-branch': {
    options:
      '-ar --all --remotes --list --topo-order --date-order --sparse --no-name --sha1-name --current --color=? --no-color',
    operands: { rest: 'text' },
  },
  'range-diff': {
    options: `${diffOptions} --creation-factor=# --no-dual-color --left-only --right-only`,
    operands: { rest: 'text' },
  },
  var: { options: '-l', operands: { leading: ['text'] } },
  'verify-pack': { options: '-vs --verbose --stat-only', operands: { rest: 'file' } },
  'check-ref-format': { options: '--branch --allow-onelevel', operands: { rest: 'text' } },
  'check-mailmap': { operands: { rest: 'text' } },
  'get-tar-commit-id': {},
  'patch-id': { options: '--stable --unstable --verbatim' },
  stripspace: { options: '-sc --strip-comments --comment-lines' },
  'count-objects': { options: '-vH --verbose --human-readable' },
  'check-ignore': { options: '-vnq --verbose --non-matching --no-index --quiet', operands: { rest: 'text' } },
  'check-attr': { options: '-a --all --cached', operands: { rest: 'text' } },
  'symbolic-ref': { options: '-q --short --quiet', operands: { leading: ['text'] }, order: 'options-first' },
  branch: {
    options: `-arvq --all --remotes --verbose --list --show-current --abbrev=# --no-abbrev --column=? --no-column
      ${refFilters}`,
    operands: { rest: 'text' },
    also: (call) => refuseUnlisted(call, ['list']),
  },
  tag: {
    options: `-l -n=? --list --column=? --no-column ${refFilters}`,
    operands: { rest: 'text' },
    also: (call) => refuseUnlisted(call, ['l', 'list']),
  },
};

/** With these options, git lists in any case. */
const filtering = ['contains', 'no-contains', 'merged', 'no-merged', 'points-at'];

/** Without a listing option, an operand names a reference to create. */
function refuseUnlisted(
  { options, operands }: ReadCall,
  listing: readonly string[],
): ShellBoundary | undefined {
  const [first] = operands;
  const lists = options.some(({ name }) => listing.includes(name) || filtering.includes(name));
  if (first === undefined || lists) return undefined;
  return boundary('operand', first.at, `without --list this would make ${first.text}`);
}

/** A subcommand whose next word selects the operation: only the listed words, each with its own rule. */
function wordRule(name: string, byWord: Readonly<Record<string, OptionRule>>): CommandRule {
  const known = new Map(Object.entries(byWord).map(([word, rule]) => [word, optionRule(rule)]));
  return (args) => {
    const [first, ...rest] = args;
    const rule = first && known.get(first.text);
    if (rule) return rule(rest);
    // Without a word, or with an option in its place, the rule of the empty word applies, if there is one.
    const bare = first === undefined || first.text.startsWith('-') ? known.get('') : undefined;
    return (
      bare?.(args) ??
      boundary('git-subcommand', first?.at ?? 0, `this form of git ${name} is not known to only read`)
    );
  };
}

const configReading: OptionRule = {
  options: `-lz --get= --get-all= --get-regexp= --list --local --global --worktree --null --name-only --show-origin
    --show-scope --includes --bool --int --type= --default=`,
};

const wordRules: Readonly<Record<string, Readonly<Record<string, OptionRule>>>> = {
  remote: {
    '': { options: '-v --verbose' },
    show: { options: '-n', operands: { leading: ['text'] }, also: refuseAsking },
    'get-url': { options: '--all --push', operands: { leading: ['text'] } },
  },
  stash: {
    list: { options: logOptions },
    show: { options: diffOptions, operands: { leading: ['text'] } },
  },
  'sparse-checkout': { list: {} },
  reflog: {
    '': { options: logOptions },
    show: { options: logOptions, operands: { leading: ['text'] } },
    HEAD: { options: logOptions },
  },
  submodule: { status: { options: '--cached --recursive', operands: { rest: 'text' } }, '': {} },
  notes: { list: { operands: { rest: 'text' } }, show: { operands: { rest: 'text' } } },
  bisect: { log: {} },
  rerere: { status: {}, diff: {} },
  worktree: { list: { options: '-vz --verbose --porcelain' } },
};

/** `remote show` contacts the other machine unless `-n` is given. */
function refuseAsking({ options, operands }: ReadCall): ShellBoundary | undefined {
  const [first] = operands;
  return first && options.length === 0
    ? boundary('operand', first.at, 'the remote would be asked')
    : undefined;
}

/** Without one of the reading options, two operands would set a value; with them there are none. */
const configRule: CommandRule = (args) => {
  const [first] = args;
  const reads = args.some(({ text }) => /^(-l|--list|--get|--get-all|--get-regexp)(=|$)/.test(text));
  if (reads) return optionRule(configReading)(args);
  // A single name is shown, as with the newer `config get`.
  const names = first && /^(--local|--global|get)$/.test(first.text) ? args.slice(1) : args;
  if (first?.text === 'list' && args.length === 1) return optionRule({ operands: { rest: 'text' } })(args);
  if (names.length === 1 && /^[A-Za-z][\w-]*(\.[^\s=]+)+$/.test(names[0]?.text ?? ''))
    return optionRule({ operands: { rest: 'text' } })(names);
  return boundary('git-subcommand', first?.at ?? 0, 'git config is read with --get or --list');
};

export const gitSubcommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)] as const),
  ...Object.entries(wordRules).map(([name, byWord]) => [name, wordRule(name, byWord)] as const),
  ['config', configRule],
]);
