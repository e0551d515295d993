/**
 * Programs that are installed beside the system's own: viewers, listers, counters, and readers of XML and YAML.
 *
 * Invariant: no option listed here writes, starts another program or reads settings of the workspace that could.
 */
import { boundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';
import { yqRule } from '../script/jq-filter.ts';

/** A pager is started only for a terminal, which a command here never has. */
const bat: OptionRule = {
  options: `-pnAuPf -r= -l= -H= -m= --plain --number --show-all --line-range= --language= --highlight-line= --style= --theme=
    --color= --decorations= --paging= --wrap= --tabs=# --terminal-width=# --file-name= --map-syntax= --unbuffered
    --list-languages --list-themes --force-colorization --no-paging --squeeze-blank --version --help`,
  operands: { rest: 'file' },
};

const eza: OptionRule = {
  options: `-1lGxFRTdLaAhBbgHimSuUnoXr -s= -I= -t= -D -f -L=# --long --grid --across --oneline --tree --recurse --level=# --all
    --almost-all --list-dirs --only-dirs --only-files --sort= --reverse --ignore-glob= --git-ignore --header --group
    --inode --links --modified --created --accessed --time= --time-style= --binary --bytes --icons=? --no-icons
    --color= --colour= --classify=? --group-directories-first --no-permissions --no-filesize --no-user --no-time
    --total-size --octal-permissions --numeric --git --git-repos --hyperlink --width=# --version --help`,
  operands: { rest: 'entry' },
};

const lsd: OptionRule = {
  options: `-aAFlRhtrS1gLiI -d --all --almost-all --long --tree --depth=# --recursive --human-readable --size= --date= --icon=
    --color= --group-dirs= --sort= --reverse --oneline --classify --ignore-glob= --blocks= --total-size --no-symlink
    --header --version --help`,
  operands: { rest: 'entry' },
};

const tokei: OptionRule = {
  options: `-fClhV -s= -r= -o= -t= -e= -n= -c=# --files --compact --languages --hidden --no-ignore --no-ignore-parent
    --no-ignore-vcs --sort= --rsort= --output= --types= --type= --exclude= --num-format= --columns=# --streaming=
    --version --help`,
  operands: { rest: 'file' },
};

/** Without -o, which writes. */
const scc: OptionRule = {
  options: `-wcdhvz -f= -s= -i= -x= -M= -n= --wide --by-file --format= --sort= --include-ext= --exclude-ext= --exclude-dir=
    --not-match= --no-cocomo --no-complexity --no-duplicates --no-size --no-large --no-min-gen --ci --count-as=
    --languages --version --help`,
  operands: { rest: 'file' },
};

/** Without the options that ask git for the files, or unpack an archive. */
const cloc: OptionRule = {
  options: `-v=# --by-file --by-file-by-lang --quiet --json --csv --md --yaml --xml --hide-rate --sum-one --fullpath
    --include-lang= --exclude-lang= --exclude-dir= --include-ext= --exclude-ext= --match-f= --not-match-f= --match-d=
    --not-match-d= --list-file=< --skip-uniqueness --max-file-size=# --show-lang=? --show-ext=?
    --progress-rate=# --processes=# --version --help`,
  operands: { rest: 'file' },
  also: ({ operands }) => {
    const archive = operands.find(({ text }) =>
      /\.(tar|t?gz|bz2|xz|zip|jar|war|ear|whl|egg|rpm|deb|src|7z)$/i.test(text),
    );
    return archive && boundary('operand', archive.at, 'cloc would unpack the archive');
  },
};

/** No file outside is loaded: neither a document type from the network nor an entity. */
const xmllint: OptionRule = {
  options: `--format --noout --nonet --xpath= --nowarning --noblanks --recover --huge --html --pretty=# --c14n --nsclean
    --nocdata --stream --version`,
  operands: { rest: 'file' },
};

const listers: Readonly<Record<string, OptionRule>> = {
  bat,
  batcat: bat,
  eza,
  exa: eza,
  lsd,
  tokei,
  scc,
  cloc,
  xmllint,
};

const ackOptions = `-ilLcwvHhonfQsSR1kr -A=# -B=# -C=# -m=# -t= -T= -g= --ignore-case --smart-case --files-with-matches
  --files-without-matches --count --word-regexp --invert-match --with-filename --no-filename --literal --column
  --max-count=# --after-context=# --before-context=# --context=# --type= --ignore-dir= --ignore-file= --color --nocolor
  --heading --noheading --break --nobreak --group --nogroup --sort-files --help-types --version`;

const ackRead = optionRule({
  options: ackOptions,
  operands: { leading: ['text'], unless: ['f', 'g', 'help-types', 'version'], rest: 'file' },
});

/** Languages are options of their own: `--ts`, `--nojs`. Settings of the workspace are switched off. */
const ack: CommandRule = (args) => {
  const others = args.filter(
    ({ text }) =>
      !/^--(no)?(js|ts|jsx|tsx|python|perl|ruby|go|java|kotlin|cpp|cc|rust|html|css|json|yaml|xml|md|markdown|php|shell|sql)$/.test(
        text,
      ),
  );
  const verdict = ackRead(others);
  return verdict.kind === 'boundary'
    ? verdict
    : { ...verdict, checked: { args: ['--noenv', '--nopager', ...args.map(({ text }) => text)] } };
};

export const viewerCommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(listers).map(([name, rule]) => [name, optionRule(rule)] as const),
  ['ack', ack],
  ['yq', yqRule],
]);
