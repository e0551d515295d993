/**
 * Files that programs write as a side effect and recreate when missing: caches, tool logs, shell histories.
 *
 * Invariant: an unknown file is not one of these. A wrong guess would hide a lost file.
 */
import { isAbsolute, relative } from 'node:path';
import { homeDirectory } from '../storage/user-directories.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether losing the file at an absolute path costs nothing but time in the next run. */
export function isRecomputed(path: string, env: Environment): boolean {
  if (anywhere.test(path)) return true;
  if (cacheVariables.some((name) => pathWithin(path, env[name]) !== undefined)) return true;
  if (inOtherHomes(path, env)) return true;
  const inHomes = [homeDirectory(env), sandboxHome].map((home) => pathWithin(path, home));
  if (inHomes.some((rest) => rest !== undefined && homeCaches.some((pattern) => pattern.test(rest)))) {
    return true;
  }
  const temporary = temporaryDirectories(env).map((directory) => pathWithin(path, directory));
  return temporary.some((rest) => rest !== undefined && temporaryCaches.test(rest));
}

/** Variables that name a directory which holds only caches. */
const cacheVariables: readonly string[] = [
  'XDG_CACHE_HOME',
  'npm_config_cache',
  'NPM_CONFIG_CACHE',
  'YARN_CACHE_FOLDER',
  'PIP_CACHE_DIR',
  'UV_CACHE_DIR',
  'GOCACHE',
  'GOMODCACHE',
  'CARGO_TARGET_DIR',
  'CCACHE_DIR',
  'SCCACHE_DIR',
  'DENO_DIR',
  'NODE_COMPILE_CACHE',
  'PYTHONPYCACHEPREFIX',
];

/** Directories of toolchains that hold caches beside deliberate installations. */
const toolHomes: readonly (readonly [variable: string, caches: RegExp])[] = [
  ['CARGO_HOME', /^(registry|git)(\/|$)|^\.(package-cache|global-cache)/],
  ['RUSTUP_HOME', /^(tmp|downloads)(\/|$)/],
  ['GOPATH', /^pkg(\/|$)/],
  ['GRADLE_USER_HOME', /^(caches|daemon|native|notifications|wrapper|workers|\.tmp)(\/|$)/],
];

function inOtherHomes(path: string, env: Environment): boolean {
  return toolHomes.some(([variable, caches]) => caches.test(pathWithin(path, env[variable]) ?? ''));
}

/** The home directory in a sandbox if the user's own cannot be used. */
const sandboxHome = '/tmp/home';

/** Relative to the home directory. */
const homeCaches: readonly RegExp[] = [
  /^\.(cache|npm|yarn|ccache|sccache|pnpm-store|node-gyp|electron|deno|pub-cache|dartServer|nuget|dotnet|templateengine|coursier|konan|kotlin)(\/|$)/,
  /^\.(bun\/install|bundle|composer|ivy2|android)\/(build-)?cache(\/|$)/,
  /^\.cargo\/((registry|git)(\/|$)|\.(package-cache|global-cache))/,
  /^\.rustup\/(tmp|downloads)(\/|$)/,
  /^\.gradle\/(caches|daemon|native|notifications|wrapper|workers|\.tmp)(\/|$)/,
  /^\.m2\/repository\/(.*\/)?(_remote\.repositories|resolver-status\.properties|[^/]*\.lastUpdated)$/,
  /^go\/pkg(\/|$)/,
  /^\.(julia\/compiled|stack\/pantry|cabal\/packages|sbt\/(boot|launchers))(\/|$)/,
  /^\.local\/(share\/(pnpm\/store|NuGet|virtualenv)|state\/pnpm)(\/|$)/,
  /^\.config\/(go\/telemetry|configstore|nextjs-nodejs|astro|turborepo)(\/|$)/,
  /^Library\/Caches(\/|$)/,
  /^\.(\w+_history|lesshst|viminfo|wget-hsts)$/,
];

/** Matched at any depth. */
const anywhere =
  /^\/(var\/cache|run\/mount|proc|sys)\/|\/(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|node_modules\/\.(cache|vite|vite-temp))(\/|$)/;

/**
 * Caches that tools leave in the temporary directory: directories by the beginning of their names, and a few file
 * types. Any other file may be the result the command was run for.
 */
const temporaryCaches =
  /^(pytest-of-|jest[_-]|node-compile-cache|v8-compile-cache|tsx-|ts-node-|go-build|rustc|cargo-install|hsperfdata_|npm-|yarn--|bun-|xfs-|esbuild-|vite-|vitest-|\.dotnet|NuGetScratch|MSBuildTemp|VBCSCompiler|playwright|puppeteer|\.org\.chromium|\.X11-unix|\.ICE-unix|\.font-unix|ccache|sccache|metro-|haste-map|matplotlib-|mypy-|pymp-)[^/]*\/|^(clr-debug-pipe|dotnet-diagnostic|\.X\d+-lock|sem\.|psm_)[^/]*$/;

function temporaryDirectories(env: Environment): readonly string[] {
  const named = [env.TMPDIR ?? ''].filter((directory) => isAbsolute(directory));
  return ['/tmp', '/var/tmp', '/dev/shm', ...named];
}

/** The path relative to a directory that contains it; undefined if it lies elsewhere. */
function pathWithin(path: string, directory: string | undefined): string | undefined {
  if (!directory || !isAbsolute(directory)) return undefined;
  const rest = relative(directory, path);
  return rest === '' || rest === '..' || rest.startsWith('../') || isAbsolute(rest) ? undefined : rest;
}
