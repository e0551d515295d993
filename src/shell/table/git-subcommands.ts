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
import type { CommandRule, CommandVerdict } from '../command/command-rule.ts';
import { type OptionRule, optionRule, type ReadCall } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

const diffOptions = `-puszwbaRDW -U=# -M=? -C=? -B=? -S= -G= -I= -l=# --patch --no-patch --unified=# --raw --patch-with-raw
  --patch-with-stat --minimal --patience --histogram --diff-algorithm= --stat=? --compact-summary --numstat
  --shortstat --dirstat=? --summary --name-only --name-status --color=? --no-color --color-moved=?
  --word-diff=? --word-diff-regex= --color-words=? --no-renames --check --full-index --binary --abbrev=?
  --find-renames=? --find-copies=? --find-copies-harder --break-rewrites=? --diff-filter= --pickaxe-all --pickaxe-regex
  --relative=? --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space
  --ignore-blank-lines --inter-hunk-context=# --function-context --exit-code --quiet --src-prefix= --dst-prefix=
  --no-prefix --no-ext-diff --no-textconv --cc --combined-all-paths --anchored=
  --output-indicator-new= --output-indicator-old= --output-indicator-context= --line-prefix= --ws-error-highlight=
  --color-moved-ws= --no-color-moved --indent-heuristic --no-indent-heuristic --stat-width=# --stat-name-width=#
  --stat-count=# --stat-graph-width=# --cumulative --dirstat-by-file=? --ignore-matching-lines= --find-object=
  --irreversible-delete --no-relative --default-prefix --ita-invisible-in-index --skip-to= --rotate-to= --no-stat
  --ignore-space-at-eol --rename-empty --no-rename-empty --no-abbrev`;

const revisionOptions = `-n=# -# -iEFPq -L= --max-count=# --skip=# --since= --after= --until= --before= --author=
  --committer= --grep= --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings
  --perl-regexp --merges --no-merges --first-parent --all --branches=? --tags=? --remotes=? --glob= --exclude=
  --left-right --left-only --right-only --cherry-mark --cherry-pick --cherry --not --topo-order --date-order
  --author-date-order --reverse --no-walk=? --ancestry-path=? --simplify-by-decoration --full-history --dense --sparse
  --boundary --count --min-parents=# --max-parents=# --no-min-parents --no-max-parents --walk-reflogs --reflog
  --since-as-filter= --max-age=# --min-age=# --basic-regexp --grep-reflog= --remove-empty --simplify-merges --merge --bisect
  --ignore-missing --stdin --alternate-refs --single-worktree --exclude-hidden= --no-reverse --in-commit-order`;

const logOptions = `${diffOptions} ${revisionOptions} -mcgtr --oneline --graph --decorate=? --no-decorate
  --decorate-refs= --pretty=? --format= --abbrev-commit --no-abbrev-commit --no-abbrev --date= --relative-date --follow
  --decorate-refs-exclude= --clear-decorations --no-graph --show-linear-break=? --no-follow --use-mailmap
  --no-use-mailmap --expand-tabs=? --no-standard-notes --standard-notes --no-source
  --source --parents --children --encoding= --notes=? --no-notes --show-notes=? --no-mailmap --mailmap --log-size
  --diff-merges= --no-diff-merges --full-diff --root --show-pulls --no-expand-tabs`;

const refFilters = `--sort= --format= --contains= --no-contains= --merged=? --no-merged=? --points-at= --color=?
  --no-color --ignore-case`;

const rules: Readonly<Record<string, OptionRule>> = {
  status: {
    options: `-sbvz -u=? --short --branch --show-stash --porcelain=? --long --verbose --untracked-files=? --ignored=?
      --column=? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames=? --null
      --no-short --no-branch --no-show-stash`,
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
    options: `-bclstfnepwMk -L= -C=? -S=< --ignore-revs-file=< --color-lines --color-by-age --score-debug --minimal
      --no-progress --no-abbrev --root --show-stats --porcelain --line-porcelain --incremental --date= --show-name
      --show-number --show-email --abbrev=# --since= --ignore-rev= --reverse --first-parent`,
    operands: { rest: 'entry' },
  },
  'ls-files': {
    options: `-cdmoisfkutvz -x= -X=< --format= --with-tree= --exclude-from=< --exclude-per-directory= --sparse --debug
      --resolve-undo --no-empty-directory --cached --deleted --modified --others --ignored --stage --unmerged --killed
      --directory --no-empty-directory --exclude= --exclude-standard --full-name --error-unmatch --abbrev=? --eol
      --deduplicate`,
    operands: { rest: 'entry' },
  },
  'ls-tree': {
    options:
      '-drtlz --name-only --name-status --long --full-name --full-tree --abbrev=? --object-only --format=',
    operands: { rest: 'entry' },
  },
  'rev-parse': {
    options: `-q --abbrev-ref=? --short=? --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir
      --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository
      --is-shallow-repository --symbolic --symbolic-full-name --all --branches=? --tags=? --remotes=?
      --show-superproject-working-tree --revs-only --no-revs --flags --no-flags --show-object-format=?
      --path-format= --disambiguate= --default= --sq --not --glob= --exclude= --local-env-vars --shared-index-path
      --show-ref-format --exclude-hidden= --since= --until= --after= --before=`,
    operands: { rest: 'text' },
  },
  'rev-list': {
    options: `${revisionOptions} --oneline --pretty=? --format= --abbrev-commit --parents --children --objects
      --timestamp --header --graph --date= --no-commit-header --commit-header --disk-usage=? --quiet --object-names
      --no-object-names --filter= --no-filter --use-bitmap-index --unpacked --indexed-objects --objects-edge
      --abbrev=? --no-abbrev-commit --relative-date --encoding=`,
    operands: { rest: 'entry' },
  },
  'diff-tree': {
    options: `${diffOptions} -rtmcv --root --no-commit-id --pretty=? --format= --oneline --merge-base`,
    operands: { rest: 'entry' },
  },
  'diff-index': { options: `${diffOptions} -m --cached --merge-base`, operands: { rest: 'entry' } },
  'merge-base': {
    options: '-a --all --octopus --independent --is-ancestor --fork-point --no-all',
    operands: { rest: 'text' },
  },
  describe: {
    options: `--all --tags --contains --abbrev=# --candidates=# --exact-match --long --match= --exclude= --always
      --first-parent --debug --no-tags`,
    operands: { rest: 'text' },
  },
  'name-rev': {
    options: '--tags --refs= --exclude= --name-only --always --no-undefined --all --annotate-stdin --stdin',
    operands: { rest: 'text' },
  },
  'cat-file': {
    options: `-ptseZ --batch-check=? --batch=? --batch-all-objects --buffer --unordered --follow-symlinks --use-mailmap
      --no-filter`,
    operands: { leading: ['text', 'text'] },
    order: 'options-first',
  },
  'show-ref': {
    options:
      '-sdqh --head --heads --branches --tags --hash=? --dereference --verify --exists --abbrev=? --quiet',
    operands: { rest: 'text' },
  },
  'for-each-ref': {
    options: `${refFilters} --count=# --exclude= --stdin --include-root-refs --omit-empty --shell --python --perl --tcl`,
    operands: { rest: 'text' },
  },
  shortlog: {
    options: `${revisionOptions} -nsecw --numbered --summary --email --committer --group= --format= --date=`,
    operands: { rest: 'text' },
  },
  grep: {
    options: `-nilcvwhHEFGPaIorqzpWL -e= -A=# -B=# -C=# -m=# -# --line-number --ignore-case --files-with-matches
      --name-only --files-without-match --count --invert-match --word-regexp --extended-regexp --fixed-strings
      --basic-regexp --perl-regexp --text --only-matching --column --color=? --no-color --heading --break
      --show-function --function-context --after-context=# --before-context=# --context=# --max-depth=# --and --or
      --not --all-match --quiet --cached --untracked --no-index --full-name --recursive --no-recursive
      --no-textconv --threads=# --max-count=# --null --exclude-standard --no-exclude-standard -f=< --no-ext-grep -y -s
      --files-with-match --no-line-number --no-color --no-full-name`,
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
  var: { operands: { leading: ['text'] } },
  'verify-pack': { options: '-vs --verbose --stat-only', operands: { rest: 'file' } },
  'check-ref-format': { options: '--branch --allow-onelevel', operands: { rest: 'text' } },
  'check-mailmap': { operands: { rest: 'text' } },
  'get-tar-commit-id': {},
  // Without --write nothing is stored.
  'hash-object': {
    options: '-t= --stdin --stdin-paths --no-filters --literally --path=',
    operands: { rest: 'file' },
  },
  'show-index': { options: '--object-format=' },
  fsck: {
    options: `-v --full --no-full --strict --connectivity-only --no-dangling --dangling --unreachable --tags --root
      --no-reflogs --name-objects --no-progress --verbose --cache`,
    operands: { rest: 'text' },
  },
  column: { options: '--mode=? --raw-mode=# --width=# --indent= --nl= --padding=#' },
  'interpret-trailers': {
    options: '--parse --only-trailers --only-input --unfold --no-divider',
    operands: { rest: 'file' },
  },
  'merge-file': {
    options: '-p -q --stdout --quiet --ours --theirs --union --diff3 --zdiff3 -L=',
    operands: { leading: ['file', 'file', 'file'] },
    also: ({ options, operands }) =>
      options.some(({ name }) => name === 'p' || name === 'stdout')
        ? undefined
        : boundary('option', operands[0]?.at ?? 0, 'git merge-file writes unless -p is given'),
  },
  'patch-id': { options: '--stable --unstable --verbatim' },
  stripspace: { options: '-sc --strip-comments --comment-lines' },
  'count-objects': { options: '-vH --verbose --human-readable' },
  'check-ignore': {
    options: '-vnqz --verbose --non-matching --no-index --quiet --stdin',
    operands: { rest: 'text' },
  },
  'check-attr': { options: '-az --all --cached --stdin --source=', operands: { rest: 'text' } },
  'symbolic-ref': { options: '-q --short --quiet', operands: { leading: ['text'] }, order: 'options-first' },
  branch: {
    options: `-arvqli --all --remotes --verbose --list --show-current --abbrev=# --no-abbrev --column=? --no-column
      --omit-empty ${refFilters}`,
    operands: { rest: 'text' },
    also: (call) => refuseUnlisted(call, ['list']),
  },
  tag: {
    options: `-li -n=? --list --column=? --no-column --omit-empty ${refFilters}`,
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
    --show-scope --includes --no-includes --bool --int --path --type= --default= --get-color= --get-colorbool=`,
};

const wordRules: Readonly<Record<string, Readonly<Record<string, OptionRule>>>> = {
  remote: {
    '': { options: '-v --verbose' },
    show: { options: '-n', operands: { leading: ['text'] }, also: refuseAsking },
    'get-url': { options: '--all --push', operands: { leading: ['text'] } },
  },
  stash: {
    list: { options: logOptions },
    show: {
      options: `${diffOptions} --include-untracked --only-untracked --no-include-untracked`,
      operands: { leading: ['text'] },
    },
  },
  'sparse-checkout': { list: {} },
  reflog: {
    '': { options: logOptions },
    show: { options: logOptions, operands: { leading: ['text'] } },
    HEAD: { options: logOptions },
    exists: { operands: { leading: ['text'] } },
    list: {},
  },
  archive: { '--list': {}, '-l': {} },
  bundle: {
    'list-heads': { operands: { leading: ['file'], rest: 'text' } },
    verify: { options: '-q --quiet', operands: { leading: ['file'] } },
  },
  replace: { '': { options: '-l --list --format=' } },
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
  const reads = args.some(({ text }) =>
    /^(-l|--list|--get|--get-all|--get-regexp|--get-color|--get-colorbool)(=|$)/.test(text),
  );
  if (first?.text === 'list' || first?.text === 'get') return newConfig(first.text, args.slice(1));
  if (first?.text === '--get-urlmatch') return configMatch(args.slice(1));
  if (reads) return optionRule(configReading)(args);
  // A single name is shown, as with the newer `config get`.
  const names = first && /^(--local|--global)$/.test(first.text) ? args.slice(1) : args;
  if (names.length === 1 && isSettingName(names[0])) return configName(names);
  return boundary('git-subcommand', first?.at ?? 0, 'git config is read with --get or --list');
};

const configMatch = optionRule({ operands: { leading: ['text', 'text'] } });
const configName = optionRule({ operands: { leading: ['text'] } });

function isSettingName(word: ShellWord | undefined): boolean {
  return /^[A-Za-z][\w-]*(\.[^\s=]+)+$/.test(word?.text ?? '');
}

const newConfigOptions =
  '-z --local --global --system --worktree --null --name-only --show-origin --show-scope --includes --no-includes';

const newConfigRules = {
  list: optionRule({ options: newConfigOptions }),
  get: optionRule({
    options: `${newConfigOptions} --all --regexp --value= --fixed-value --default= --url= --bool --int --type=`,
    operands: { leading: ['text'] },
  }),
} as const;

/** `git config list` and `git config get`. An older git would take the word for the name of a setting. */
function newConfig(word: 'list' | 'get', args: readonly ShellWord[]): CommandVerdict {
  const operand = args.find(({ text }) => !text.startsWith('-'));
  if (word === 'get' && !isSettingName(operand) && !args.some(({ text }) => text === '--regexp'))
    return boundary('git-subcommand', operand?.at ?? 0, 'git config get names no setting');
  return newConfigRules[word](args);
}

export const gitSubcommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)] as const),
  ...Object.entries(wordRules).map(([name, byWord]) => [name, wordRule(name, byWord)] as const),
  ['config', configRule],
  ['annotate', optionRule(rules.blame ?? {})],
]);
