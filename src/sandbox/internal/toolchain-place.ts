/**
 * Directories of compilers, interpreters and package managers with their programs and downloads.
 *
 * Invariant: this is an allow list. Of directories that also contain tokens, only harmless parts are named, so
 * unknown credential files stay outside.
 */

export interface ToolchainDirectory {
  /** The variable that moves the directory, if there is one. */
  readonly variable?: string;
  /** The default, relative to the home directory. */
  readonly home: string;
  /** Read-only parts. Absent with `layered`: the directory itself is shown. */
  readonly shown?: readonly string[];
  /** Parts that tools also write; the empty name is the directory itself. */
  readonly layered?: readonly string[];
  /** Files with tokens, hidden if the directory lies in one that is shown as a whole. */
  readonly secrets?: readonly string[];
}

export const toolchainDirectories: readonly ToolchainDirectory[] = [
  {
    variable: 'CARGO_HOME',
    home: '.cargo',
    shown: ['bin'],
    layered: ['registry/index', 'registry/cache', 'registry/src', 'git/db', 'git/checkouts'],
    secrets: ['credentials', 'credentials.toml'],
  },
  { variable: 'RUSTUP_HOME', home: '.rustup', shown: ['toolchains', 'update-hashes', 'settings.toml'] },
  { variable: 'GOPATH', home: 'go', shown: ['bin'], layered: ['pkg'] },
  { variable: 'GOMODCACHE', home: 'go/pkg/mod', layered: [''] },
  { variable: 'GOCACHE', home: '.cache/go-build', layered: [''] },
  { variable: 'GOROOT', home: '.goroot' },
  { variable: 'NVM_DIR', home: '.nvm', shown: ['versions', 'alias', 'nvm.sh', 'nvm-exec'] },
  { variable: 'VOLTA_HOME', home: '.volta', shown: ['bin', 'tools', 'hooks.json'] },
  { variable: 'COREPACK_HOME', home: '.cache/node/corepack', layered: [''] },
  { variable: 'PNPM_HOME', home: '.local/share/pnpm', layered: [''] },
  { home: '.fnm', shown: ['node-versions', 'aliases'] },
  { home: '.local/share/fnm', shown: ['node-versions', 'aliases'] },
  { home: '.nodenv' },
  { home: '.npm', layered: ['_cacache', '_npx'] },
  { home: '.yarn', layered: ['berry/cache', 'releases'] },
  { home: '.bun', shown: ['bin'], layered: ['install/cache'] },
  { home: '.deno', shown: ['bin'] },
  { home: '.pnpm-store', layered: [''] },
  { variable: 'PYENV_ROOT', home: '.pyenv' },
  { variable: 'VIRTUAL_ENV', home: '.virtualenvs' },
  { variable: 'CONDA_PREFIX', home: '.conda/envs' },
  { home: '.local/bin' },
  { home: '.local/lib' },
  { home: '.local/pipx', shown: ['venvs'] },
  { home: '.local/share/pipx', shown: ['venvs', 'py'] },
  { home: '.local/share/uv', shown: ['python', 'tools'] },
  { home: '.local/share/virtualenvs' },
  { home: '.local/share/mise', shown: ['installs', 'shims'] },
  { home: '.local/share/gem' },
  { home: '.asdf', shown: ['installs', 'shims', 'bin', 'lib', 'libexec', 'plugins', 'asdf.sh'] },
  { home: '.rbenv' },
  { home: '.rvm', shown: ['rubies', 'gems', 'bin', 'scripts', 'environments', 'wrappers'] },
  { variable: 'GEM_HOME', home: '.gem/ruby' },
  { variable: 'JAVA_HOME', home: '.jdks' },
  { home: '.sdkman', shown: ['candidates', 'bin', 'src', 'libexec'] },
  { home: '.m2', shown: ['wrapper'], layered: ['repository'] },
  {
    variable: 'GRADLE_USER_HOME',
    home: '.gradle',
    shown: ['jdks'],
    layered: ['caches', 'wrapper', 'native', 'notifications'],
    secrets: ['gradle.properties', 'init.gradle', 'init.d'],
  },
  { home: '.ivy2', layered: ['cache', 'local'] },
  { home: '.sbt', layered: ['boot', 'launchers'] },
  { home: '.cache/coursier', layered: [''] },
  { home: '.nuget', layered: ['packages'] },
  { variable: 'DOTNET_ROOT', home: '.dotnet', shown: ['sdk', 'shared', 'host', 'packs', 'tools', 'dotnet'] },
  { home: '.pub-cache', shown: ['bin'], layered: ['hosted', 'git'] },
  { home: '.ghcup', shown: ['bin', 'ghc'] },
  { home: '.cabal', shown: ['bin', 'store'], layered: ['packages'] },
  { home: '.stack', shown: ['programs', 'snapshots'], layered: ['pantry'] },
  { home: '.opam' },
  { home: '.julia', shown: ['juliaup', 'packages', 'artifacts', 'registries'], layered: ['compiled'] },
  { home: '.juliaup', shown: ['bin'] },
  { home: '.mix', shown: ['archives', 'elixir'] },
  { home: '.hex', shown: ['packages'] },
  { home: '.elan', shown: ['bin', 'toolchains'] },
  { home: '.konan' },
  { home: '.ccache', layered: [''] },
  { home: 'miniconda3' },
  { home: 'anaconda3' },
  { home: 'miniforge3' },
];

/** Parts of a cache directory (`XDG_CACHE_HOME`) that tools read when working offline. */
export const toolchainCacheNames: readonly string[] = [
  'Cypress',
  'bazelisk',
  'ccache',
  'composer',
  'deno',
  'electron',
  'go-build',
  'golangci-lint',
  'ms-playwright',
  'node-gyp',
  'pip',
  'pnpm',
  'pre-commit',
  'puppeteer',
  'pypoetry',
  'sccache',
  'uv',
  'yarn',
  'zig',
];
