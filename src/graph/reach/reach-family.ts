/**
 * Families of languages, by the way their files import one another.
 *
 * Invariant: a file for which `isConfigFile` is true decides how every file of the family is read, so a change to it
 * reaches all of them.
 */
import { baseName } from '../../workspace/workspace-path.ts';

export type ReachFamily = 'ecmascript' | 'python' | 'go' | 'c' | 'crate' | 'all';

/**
 * Extensions (without dot, lower case) of the files that can import; none for `all`, which takes them from its
 * caller.
 */
export function sourceExtensions(family: ReachFamily): ReadonlySet<string> {
  return extensions[family];
}

/** Whether the file at `path` configures the whole family: compiler options, packages, search paths. */
export function isConfigFile(family: ReachFamily, path: string): boolean {
  const name = baseName(path).toLowerCase();
  switch (family) {
    case 'ecmascript':
      return /^(?:tsconfig|jsconfig)\b.*\.json$|^package\.json$/.test(name) || isInside(path, 'node_modules');
    case 'python':
      return pythonConfigs.has(name) || name.endsWith('.pth');
    case 'go':
      return (
        name === 'go.mod' || name === 'go.sum' || name === 'go.work' || path.endsWith('vendor/modules.txt')
      );
    case 'c':
      return name === 'compile_commands.json' || name === 'compile_flags.txt' || name === '.clangd';
    case 'crate':
      return crateConfigs.has(name) || /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(path);
    case 'all':
      return projectFiles.test(name);
  }
}

/** Whether a configuration file is read by the TypeScript and JavaScript compiler, whatever its name. */
export function isCompilerConfig(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return name.endsWith('.json') && name !== 'package.json';
}

/** The extension of a path without its dot, in lower case; a name that begins with its only dot is all extension. */
export function suffixOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Everything before the last segment; empty at the root. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function isInside(path: string, directory: string): boolean {
  return path.startsWith(`${directory}/`) || path.includes(`/${directory}/`);
}

const pythonConfigs: ReadonlySet<string> = new Set([
  'pyrightconfig.json',
  'pyproject.toml',
  'setup.cfg',
  'mypy.ini',
  'py.typed',
]);

const crateConfigs: ReadonlySet<string> = new Set([
  'cargo.toml',
  'cargo.lock',
  'rust-toolchain',
  'rust-toolchain.toml',
]);

/** Files that describe a project in other languages: its dependencies and its build. */
const projectFiles =
  /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|.*\.(?:csproj|vbproj|fsproj|sln|props|targets|cabal|opam|gemspec|rockspec)|mix\.exs|pubspec\.yaml|composer\.json|gemfile|build\.sbt|dune(?:-project)?|stack\.yaml|build\.zig(?:\.zon)?|package\.swift|gleam\.toml|\.luarc\.json)$/;

const extensions: Readonly<Record<ReachFamily, ReadonlySet<string>>> = {
  ecmascript: new Set(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs']),
  python: new Set(['py', 'pyi']),
  go: new Set(['go']),
  c: new Set('c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp txx ixx cppm inc def tbl m mm cu cuh'.split(' ')),
  crate: new Set(['rs']),
  all: new Set(),
};
