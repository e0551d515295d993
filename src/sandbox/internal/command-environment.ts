/**
 * The environment of a command in a sandbox.
 *
 * Invariant: only variables named here are passed on, so unknown variables with tokens stay outside, and no variable
 * can change the programs that build the sandbox.
 */
type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandEnvironment {
  /** The variables of the command, except its search path. */
  readonly variables: Readonly<Record<string, string>>;
  /** The search path for the command's programs; ours are searched elsewhere. */
  readonly path: string;
}

/** `machine` is our environment, of which a part is passed on; `given` is added by the caller. */
export function commandEnvironment(machine: Environment, given: Environment): CommandEnvironment {
  const passed = Object.entries(machine).filter(
    ([name, value]) =>
      (passedOn.has(name) || name.startsWith('LC_')) &&
      !(name === 'NODE_OPTIONS' && loading.test(value ?? '')),
  );
  const added = Object.entries(given).filter(([name]) => !reserved.test(name));
  const all = { TERM: 'dumb', NO_COLOR: '1', ...Object.fromEntries(passed), TMPDIR: '/tmp' };
  const { PATH: path, ...variables } = definedOnly({ ...all, ...Object.fromEntries(added) });
  return { variables, path: path || '/usr/local/bin:/usr/bin:/bin' };
}

const passedOn: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'CI',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NVM_DIR',
  'VOLTA_HOME',
  'COREPACK_HOME',
  'GOROOT',
  'GOPATH',
  'GOCACHE',
  'GOMODCACHE',
  'GOFLAGS',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'RUSTUP_TOOLCHAIN',
  'RUSTFLAGS',
  'JAVA_HOME',
  'MAVEN_OPTS',
  'GRADLE_OPTS',
  'GRADLE_USER_HOME',
  'PYENV_ROOT',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'GEM_HOME',
  'GEM_PATH',
  'DOTNET_ROOT',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_DATE',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_DATE',
  'CC',
  'CXX',
  'CFLAGS',
  'CXXFLAGS',
  'LDFLAGS',
  'MAKEFLAGS',
  'SOURCE_DATE_EPOCH',
]);

/** Options of node that name a file, which does not exist inside, or open a port: editors set them for debugging. */
const loading =
  /(?:^|\s)(?:-r|--(?:require|import|loader|experimental-loader|env-file|inspect\S*))(?:[\s=]|$)/;

/** Read by the loader and the shell of the programs that build the sandbox, before anything is confined. */
const reserved =
  /^(?:LD_.*|GCONV_PATH|BASH_ENV|ENV|IFS|SHELLOPTS|BASHOPTS|PS4|PERL5?(?:OPT|LIB|DB)|FORERUN_COVERING)$/;

function definedOnly(variables: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
