/**
 * Toolchains and tools, asked for their version and nothing else.
 *
 * Omitted are those that load code of the workspace before they answer, such as pytest, flake8, jest, composer and hg, and
 * those that ask another machine for a newer version, such as terraform.
 *
 * Invariant: the arguments are spelled exactly as listed.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import { nodeRule, pythonRule } from '../script/interpreter-command.ts';
import { packageCommands } from './package-commands.ts';
import { toolCommands } from './tool-commands.ts';

/** The one argument of each program, by which it prints its version or a property of its own. */
const versionArguments: Readonly<Record<string, string>> = {
  ruby: '-v --version',
  perl: '-v --version -V',
  rustc: '-V --version -vV -Vv',
  gcc: '--version -v -dumpversion -dumpmachine -dumpfullversion -print-search-dirs',
  'g++': '--version -v -dumpversion -dumpmachine',
  cc: '--version -v -dumpversion -dumpmachine',
  'c++': '--version -v',
  clang: '--version -v -print-targets -dumpmachine -dumpversion',
  'clang++': '--version -v',
  'clang-format': '--version',
  'clang-tidy': '--version',
  ld: '--version -v',
  as: '--version',
  gdb: '--version -v',
  lldb: '--version -v',
  make: '-v --version',
  gmake: '-v --version',
  cmake: '--version',
  ninja: '--version',
  meson: '--version',
  autoconf: '--version',
  automake: '--version',
  bison: '--version',
  flex: '--version',
  bash: '--version',
  sh: '--version',
  zsh: '--version',
  fish: '--version -v',
  ksh: '--version',
  deno: '-V --version',
  bun: '-v --version',
  php: '-v --version',
  swift: '--version',
  swiftc: '--version',
  kotlin: '-version',
  kotlinc: '-version',
  scala: '-version --version',
  scalac: '-version',
  javac: '-version --version',
  elixir: '-v --version',
  erl: '-version',
  ghc: '--version -V',
  cabal: '--version -V',
  stack: '--version',
  ocaml: '-version --version',
  zig: 'version env',
  nim: '--version -v',
  lua: '-v',
  luajit: '-v',
  julia: '--version -v',
  R: '--version',
  Rscript: '--version',
  dotnet: '--version --info --list-sdks --list-runtimes',
  docker: '-v --version',
  'docker-compose': '-v --version version',
  podman: '-v --version',
  poetry: '-V --version',
  pipx: '--version',
  corepack: '-v --version',
  npx: '-v --version',
  tsc: '-v --version',
  eslint: '-v --version',
  prettier: '--version',
  vite: '-v --version',
  esbuild: '--version',
  ruff: '--version -V',
  black: '--version',
  isort: '--version',
  mypy: '-V --version',
  shellcheck: '-V --version',
  shfmt: '--version -version',
  protoc: '--version',
  psql: '-V --version',
  pg_dump: '-V --version',
  mysql: '-V --version',
  sqlite3: '-version --version',
  'redis-cli': '-v --version',
  'redis-server': '-v --version',
  mongosh: '--version',
  nginx: '-v -V',
  httpd: '-v',
  curl: '-V --version',
  wget: '-V --version',
  ssh: '-V',
  gpg: '--version',
  vim: '--version',
  nvim: '-v --version',
  nano: '--version -V',
  emacs: '--version',
  tmux: '-V',
  screen: '-v --version',
  less: '-V --version',
  man: '--version -V',
  gh: '--version version',
  glab: '--version version',
  aws: '--version',
  kubectl: '--version',
  helm: '--version',
  ffmpeg: '-version',
  convert: '-version --version',
  rsync: '--version -V',
  svn: '--version',
  systemctl: '--version',
  ldd: '--version',
  ldconfig: '-p --print-cache',
  env: '--version',
  xargs: '--version',
  tee: '--version',
};

/** Several words, spelled exactly. */
const wordArguments: Readonly<Record<string, readonly string[]>> = {
  rustc: [
    '--version --verbose',
    '--print sysroot',
    '--print cfg',
    '--print target-list',
    '--print target-libdir',
  ],
  kubectl: ['version --client', 'version --client --output=yaml', 'version --client -o json'],
  helm: ['version --short', 'version --client'],
  docker: ['compose version', 'buildx version'],
};

export const toolchainCommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(versionArguments).map(
    ([name, spellings]) => [name, versionRule(name, spellings.split(' '))] as const,
  ),
  ...toolCommands,
  ...packageCommands,
  ['node', nodeRule],
  ['python', pythonRule],
  ['python3', pythonRule],
]);

function versionRule(name: string, spellings: readonly string[]): CommandRule {
  const exact = [...spellings, ...(wordArguments[name] ?? [])];
  return (args) => {
    const isPlain = args.every(({ pattern, opaque }) => !pattern && !opaque);
    if (isPlain && exact.includes(args.map(({ text }) => text).join(' '))) return allowed();
    return boundary('option', args[1]?.at ?? args[0]?.at ?? 0, `${name} is only asked for its version`);
  };
}
