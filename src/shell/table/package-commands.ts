/**
 * Queries of package managers and toolchains about what is installed or declared.
 *
 * Omitted: queries of a registry (view, outdated, search, audit), and tools that run code of the workspace to answer
 * (bundle, poetry, composer, gradle, mvn, make). If a file of the workspace could name a program, the rule lists it,
 * and the command does not run if such a file exists.
 *
 * Invariant: the first words are spelled exactly as listed, each with its own options.
 */
import { boundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';

/** The rules of a program's subcommands; a key may be several words. */
type Subcommands = Readonly<Record<string, OptionRule>>;

const version: Subcommands = { '-v': {}, '--version': {}, '-V': {}, version: {} };

const npmList: OptionRule = {
  options: `-algp -w= --depth=# --all --json --long --parseable --global --omit= --include= --prod --production --dev
    --link --workspaces --workspace= --package-lock-only --unicode --no-unicode --only= --silent --loglevel=`,
  operands: { rest: 'text' },
};

const npm: Subcommands = {
  ...version,
  ls: npmList,
  list: npmList,
  la: npmList,
  ll: npmList,
  run: { options: '--json --silent' },
  'run-script': { options: '--json' },
  'pkg get': { options: '--json -w= --workspace= --workspaces', operands: { rest: 'text' } },
  'config get': { operands: { rest: 'text' } },
  'config list': { options: '-l --json' },
  'config ls': { options: '-l --json' },
  get: { operands: { rest: 'text' } },
  root: { options: '-g --global' },
  prefix: { options: '-g --global' },
  bin: { options: '-g --global' },
  fund: { options: '--json --no-browser -w= --workspace=' },
  explain: { options: '--json', operands: { rest: 'text' } },
  why: { options: '--json', operands: { rest: 'text' } },
  query: { operands: { leading: ['text'] } },
};

const pnpmList: OptionRule = {
  options: `-rgPD --recursive --depth=# --json --long --parseable --global --prod --dev --no-optional --filter=
    --only-projects`,
  operands: { rest: 'text' },
};

const pnpm: Subcommands = {
  ...version,
  ls: pnpmList,
  list: pnpmList,
  ll: pnpmList,
  '-r list': pnpmList,
  '-r ls': pnpmList,
  why: pnpmList,
  'why -r': pnpmList,
  'm ls': pnpmList,
  'm list': pnpmList,
  'licenses list': { options: '-P -D --prod --dev --json --long' },
  'licenses ls': { options: '-P -D --prod --dev --json --long' },
  root: { options: '-g' },
  bin: { options: '-g' },
};

const yarn: Subcommands = {
  ...version,
  list: { options: '--depth=# --pattern= --json --prod --production', operands: { rest: 'text' } },
  'workspaces list': { options: '--json -v -R --recursive --verbose' },
  'workspaces info': { options: '--json' },
  why: { options: '-R --recursive --json', operands: { rest: 'text' } },
  'config get': { operands: { leading: ['text'] } },
  bin: {},
};

const pipList: OptionRule = {
  options:
    '-leq --local --user --not-required --editable --exclude-editable --include-editable --format= --exclude= --verbose -v --pre --quiet',
};

const pip: Subcommands = {
  ...version,
  list: pipList,
  freeze: { options: '-l --local --user --all --exclude-editable --exclude=' },
  show: { options: '-fv --files --verbose', operands: { rest: 'text' } },
  check: {},
  inspect: { options: '--local --user' },
};

const cargo: Subcommands = {
  ...version,
  '--list': {},
  '-vV': {},
  'read-manifest': { options: '--offline --locked --frozen --manifest-path=<' },
  'verify-project': { options: '--offline --locked --frozen --manifest-path=<' },
  tree: {
    options: `-daq --manifest-path=< --exclude= --no-proc-macro --quiet -e= -i=? -p= --edges= --invert=? --package= --depth=# --duplicates --all-features
      --no-default-features --features= --prefix= --no-dedupe --workspace --charset= --format= -f= --target= --offline
      --locked --frozen`,
    operands: { rest: 'text' },
  },
  metadata: {
    options:
      '-q --no-deps --format-version=# --offline --locked --frozen --all-features --quiet --manifest-path=< --features= --filter-platform=',
  },
  'locate-project': { options: '--workspace --message-format=' },
  pkgid: { operands: { leading: ['text'] } },
};

const go: Subcommands = {
  version: { options: '-m', operands: { rest: 'file' } },
  env: { options: '--json -json', operands: { rest: 'text' } },
  list: { options: '', operands: { rest: 'text' } },
  'list -m': { options: '', operands: { rest: 'text' } },
  'list -f': { operands: { leading: ['text'], rest: 'text' } },
  'list -m -f': { operands: { leading: ['text'], rest: 'text' } },
  'list -json': { operands: { rest: 'text' } },
  'list -m -json': { operands: { rest: 'text' } },
  'list -deps': { operands: { rest: 'text' } },
  'list -e': { operands: { rest: 'text' } },
  'list -find': { operands: { rest: 'text' } },
  'list -test': { operands: { rest: 'text' } },
  'list -deps -test': { operands: { rest: 'text' } },
  'list -test -deps': { operands: { rest: 'text' } },
  'list -deps -f': { operands: { leading: ['text'], rest: 'text' } },
  'list -json -deps': { operands: { rest: 'text' } },
  'list -deps -json': { operands: { rest: 'text' } },
  'list -e -json': { operands: { rest: 'text' } },
  'list -json -m': { operands: { rest: 'text' } },
  'list -f -m': { operands: { leading: ['text'], rest: 'text' } },
  'mod graph': {},
  'mod why': { operands: { rest: 'text' } },
  'mod why -m': { operands: { rest: 'text' } },
  'mod verify': {},
  'mod edit -json': { operands: { leading: ['file'] } },
  'mod edit -print': { operands: { leading: ['file'] } },
  'work edit -json': {},
  doc: { operands: { leading: ['text', 'text'] } },
  'doc -all': { operands: { leading: ['text', 'text'] } },
  'doc -short': { operands: { leading: ['text', 'text'] } },
  'doc -src': { operands: { leading: ['text', 'text'] } },
  'doc -u': { operands: { leading: ['text', 'text'] } },
  help: { operands: { rest: 'text' } },
};

const managers: Readonly<Record<string, readonly [Subcommands, readonly string[]]>> = {
  npm: [npm, []],
  // Both execute a file of the workspace before they answer.
  pnpm: [pnpm, ['.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpmfile.js']],
  yarn: [yarn, ['.yarnrc.yml', '.yarnrc', '.yarn']],
  pip: [pip, []],
  pip3: [pip, []],
  cargo: [cargo, ['.cargo/config', '.cargo/config.toml', 'rust-toolchain', 'rust-toolchain.toml']],
  go: [go, []],
  // Both ask the interpreter of the environment, which a workspace may bring.
  uv: [
    {
      ...version,
      'pip list': pipList,
      'pip freeze': {},
      'pip show': { operands: { rest: 'text' } },
      'pip tree': { options: '--depth=# --prune= --package= --no-dedupe --invert' },
      'pip check': {},
      'tree --frozen': { options: '--depth=# --prune= --package= --no-dedupe --invert' },
    },
    ['.venv', '.python-version'],
  ],
  gem: [
    {
      ...version,
      list: { options: '-ladq --local --no-versions --all --details', operands: { rest: 'text' } },
      env: { operands: { leading: ['text'] } },
      environment: { operands: { leading: ['text'] } },
      which: { operands: { rest: 'text' } },
      contents: { operands: { rest: 'text' } },
      dependency: { options: '-l --local --reverse-dependencies -R', operands: { rest: 'text' } },
      specification: { options: '-l --local --all', operands: { leading: ['text', 'text'] } },
      info: { options: '-l --local', operands: { rest: 'text' } },
    },
    [],
  ],
  conda: [
    {
      ...version,
      list: { options: '-n= -p= --json --name= --export -e --explicit', operands: { rest: 'text' } },
      info: { options: '-ae --json --all --envs --base' },
    },
    [],
  ],
  pacman: [
    {
      '-Q': { operands: { rest: 'text' } },
      '-Qi': { operands: { rest: 'text' } },
      '-Ql': { operands: { rest: 'text' } },
      '-Qe': {},
      '-Qm': {},
      '-Qo': { operands: { rest: 'text' } },
      '-Qs': { operands: { rest: 'text' } },
      '--version': {},
    },
    [],
  ],
  apk: [
    {
      info: { options: '-vaLder --installed --contents --size --depends', operands: { rest: 'text' } },
      'list --installed': { operands: { rest: 'text' } },
      'list -I': { operands: { rest: 'text' } },
      '--version': {},
    },
    [],
  ],
  'pkg-config': [
    {
      '--version': {},
      '--list-all': {},
      '--list-package-names': {},
      '--modversion': { operands: { rest: 'text' } },
      '--cflags': { options: '--libs', operands: { rest: 'text' } },
      '--libs': { options: '--cflags', operands: { rest: 'text' } },
      '--exists': { operands: { rest: 'text' } },
      '--print-requires': { operands: { rest: 'text' } },
    },
    [],
  ],
  rustup: [version, []],
  // Its options for the virtual machine may be in the workspace.
  mvn: [{ '-v': {}, '--version': {} }, ['.mvn']],
  dpkg: [
    {
      '-l': { operands: { rest: 'text' } },
      '-L': { operands: { rest: 'text' } },
      '-s': { operands: { rest: 'text' } },
      '-S': { operands: { rest: 'text' } },
      '-p': { operands: { rest: 'text' } },
      '--status': { operands: { rest: 'text' } },
      '--listfiles': { operands: { rest: 'text' } },
      '--search': { operands: { rest: 'text' } },
      '--get-selections': { operands: { rest: 'text' } },
      '--print-foreign-architectures': {},
      '--list': { operands: { rest: 'text' } },
      '--print-architecture': {},
      '--version': {},
    },
    [],
  ],
  'dpkg-query': [
    {
      '-l': { operands: { rest: 'text' } },
      '-W': { options: '-f= --showformat=', operands: { rest: 'text' } },
      '--show': { options: '-f= --showformat=', operands: { rest: 'text' } },
      '-f': { options: '-W --show', operands: { leading: ['text'], rest: 'text' } },
      '-s': { operands: { rest: 'text' } },
      '-L': { operands: { rest: 'text' } },
      '-S': { operands: { rest: 'text' } },
    },
    [],
  ],
  apt: [
    {
      'list --installed': { operands: { rest: 'text' } },
      list: { options: '-a --installed --upgradable --all-versions', operands: { rest: 'text' } },
      show: { options: '-a --all-versions', operands: { rest: 'text' } },
      policy: { operands: { rest: 'text' } },
      search: { options: '-n --names-only', operands: { rest: 'text' } },
      depends: { operands: { rest: 'text' } },
      rdepends: { options: '--installed', operands: { rest: 'text' } },
      '--version': {},
    },
    [],
  ],
  'apt-cache': [
    {
      policy: { operands: { rest: 'text' } },
      show: { options: '-a', operands: { rest: 'text' } },
      showpkg: { operands: { rest: 'text' } },
      search: { options: '-n --names-only', operands: { rest: 'text' } },
      depends: { options: '--installed', operands: { rest: 'text' } },
      rdepends: { options: '--installed', operands: { rest: 'text' } },
      madison: { operands: { rest: 'text' } },
      stats: {},
      pkgnames: { operands: { rest: 'text' } },
    },
    [],
  ],
  rpm: [
    Object.fromEntries(
      ['-qa', '-q', '-qi', '-ql', '-qf', '-qR', '-qc', '-qd', '-qip', '-qlp', '-qai'].map((form) => [
        form,
        { operands: { rest: 'text' } },
      ]),
    ),
    [],
  ],
  brew: [
    {
      list: { options: '-1 --versions --formula --cask', operands: { rest: 'text' } },
      ls: { options: '-1 --versions --formula --cask', operands: { rest: 'text' } },
      leaves: {},
      config: {},
      tap: {},
      '--version': {},
      '--cellar': { operands: { rest: 'text' } },
      '--repository': {},
      '--cache': {},
      '--prefix': { operands: { rest: 'text' } },
    },
    [],
  ],
};

export const pipRule: CommandRule = subcommandRule('pip', pip, []);

export const packageCommands: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries(managers).map(([name, [subcommands, unless]]) => [
    name,
    subcommandRule(name, subcommands, unless),
  ]),
);

/** The longest matching subcommand; options of the program itself are not accepted. */
function subcommandRule(name: string, subcommands: Subcommands, unless: readonly string[]): CommandRule {
  const rules = new Map(Object.entries(subcommands).map(([words, rule]) => [words, optionRule(rule)]));
  return (args) => {
    for (let count = Math.min(3, args.length); count > 0; count--) {
      const words = args.slice(0, count);
      if (words.some(({ pattern, opaque }) => pattern || opaque)) continue;
      const verdict = rules.get(words.map(({ text }) => text).join(' '))?.(args.slice(count));
      if (verdict?.kind === 'allowed') return { ...verdict, unless };
      if (verdict) return verdict;
    }
    return boundary(
      'option',
      args[0]?.at ?? 0,
      `${name} is only asked for its version and for lists of what is there`,
    );
  };
}
