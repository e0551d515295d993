/**
 * Libraries that a server could not find, as named by its own diagnostics, and the command that installs them.
 *
 * Values from a missing module have no type, so errors in their uses are not reported: the absence of errors proves
 * nothing there, and an error may be caused by the missing module alone.
 *
 * Invariant: a module of the workspace itself is no library. If it is missing, that is an ordinary error.
 */

import type { ReachFamily } from '../graph/reach/reach-family.ts';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import { ancestorsOf, childOf, rootPath, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { FileDiagnostics } from './proof.ts';
import { packageOf } from './typescript/linked-packages.ts';

/** Whether a file or directory is in the workspace, before or after the change. */
export type IsInWorkspace = (path: WorkspacePath) => boolean;

/** The names of the libraries that these answers report as missing, in order, without duplicates. */
export function missingLibraries(
  family: ReachFamily,
  answers: readonly FileDiagnostics[],
  isInWorkspace: IsInWorkspace,
): readonly string[] {
  const names = new Set<string>();
  for (const { path, diagnostics, isUnowned, isApart } of answers) {
    // A file outside all projects is checked without the libraries of any.
    if (isUnowned || isApart) continue;
    for (const diagnostic of diagnostics) {
      const name = libraryIn(family, diagnostic);
      if (name === undefined || isOwn(family, name, path, isInWorkspace)) continue;
      if (!isInstalledGlobal(diagnostic, path, isInWorkspace)) names.add(name);
    }
  }
  return [...names].sort();
}

/**
 * The missing modules whose package is there: its declarations are not, as in a package of the workspace before its first
 * build. No installation adds them.
 */
export function unbuiltLibraries(
  family: ReachFamily,
  answers: readonly FileDiagnostics[],
  isInWorkspace: IsInWorkspace,
): ReadonlySet<string> {
  if (family !== 'ecmascript') return new Set();
  const found = answers.flatMap(({ path, diagnostics }) =>
    diagnostics.flatMap((diagnostic) => {
      const name = libraryIn(family, diagnostic);
      return name !== undefined && isInstalled(packageOf(name), path, isInWorkspace) ? [name] : [];
    }),
  );
  return new Set(found);
}

/** What names the libraries and says how to get them. */
export function missingLibraryDoubt(
  family: ReachFamily,
  names: readonly string[],
  {
    isInWorkspace,
    unbuilt,
  }: { readonly isInWorkspace: IsInWorkspace; readonly unbuilt: ReadonlySet<string> },
): string {
  const absent = names.filter((name) => !unbuilt.has(name));
  const there = names.filter((name) => unbuilt.has(name));
  const unchecked = 'so what flows from them was not checked';
  return [
    absent.length > 0 &&
      `Not installed here, ${unchecked}: ${shortList(absent)}. ${remedyOf(family, absent, isInWorkspace)}`,
    there.length > 0 && `Installed without declarations, ${unchecked}: ${shortList(there)}. Build them.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

function shortList(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `${names.slice(0, 5).join(', ')}${more}`;
}

/** The module a diagnostic reports as missing; undefined for other diagnostics and for modules named by a path. */
export function libraryIn(family: ReachFamily, { code, message }: Diagnostic): string | undefined {
  const pattern = patterns[family]?.get(String(code));
  const name = pattern?.exec(message)?.[1];
  return name === undefined || isPath.test(name) || isWithheldType.test(message) ? undefined : name;
}

/**
 * An installed package has types that its manifest does not offer for this kind of import. No installation changes that;
 * of a package that is built in the workspace a build may.
 */
const isWithheldType = /'[^'\n]*\/node_modules\/[^'\n]*' implicitly[\s\S]*There are types at '/;

/** A path, or an alias that no registry could hold. */
const isPath = /^(?:[./#~]|@\/)/;

const quoted = /['"“]([^'"”]+)['"”]/;
/** The package whose types would declare a global name; some messages propose one of two. */
const proposed = /`npm i --save-dev (@types\/[\w.-]+)`/;

/** How the message of a diagnostic names the module, by diagnostic code. */
const patterns: Partial<Record<ReachFamily, ReadonlyMap<string, RegExp>>> = {
  // `reportMissingModuleSource` is omitted: a stub was found, and every type comes from it.
  python: new Map([['reportMissingImports', quoted]]),
  ecmascript: new Map([
    ...['2307', '2792', '7016', '2688', '2732', '2875'].map((code) => [code, quoted] as const),
    ...['2580', '2581', '2582', '2591', '2592', '2593', '2867', '2868'].map(
      (code) => [code, proposed] as const,
    ),
  ]),
  go: new Map([
    ['BrokenImport', /could not import (\S+) \((?:no required module|missing go\.sum|cannot find module)/],
  ]),
  c: new Map([['pp_file_not_found', quoted]]),
};

/**
 * Whether the name is one of the workspace's own modules. Every directory above the importer is searched, which
 * includes the search roots of its project.
 */
function isOwn(family: ReachFamily, name: string, importer: WorkspacePath, isThere: IsInWorkspace): boolean {
  const entries = entriesOf(family, name);
  const roots = [...ancestorsOf(importer), rootPath].flatMap((directory) =>
    ['', 'src', 'include'].map((inner) => (inner === '' ? directory : childOf(directory, inner))),
  );
  return roots.some((root) => entries.some((entry) => isThere(childOf(root, entry))));
}

/**
 * Whether the types of a global name are installed. Then the configuration leaves them out, which is an ordinary error:
 * no installation changes it.
 */
function isInstalledGlobal(
  { message }: Diagnostic,
  importer: WorkspacePath,
  isThere: IsInWorkspace,
): boolean {
  const packages = [...message.matchAll(new RegExp(proposed, 'g'))].flatMap(([, name]) => name ?? []);
  return packages.some((name) => isInstalled(name, importer, isThere));
}

function isInstalled(name: string, importer: WorkspacePath, isThere: IsInWorkspace): boolean {
  const directories = [...ancestorsOf(importer), rootPath];
  return directories.some((directory) => isThere(childOf(directory, `node_modules/${name}`)));
}

function entriesOf(family: ReachFamily, name: string): readonly string[] {
  if (family === 'c') return [name];
  if (family !== 'python') return [];
  const [top = name] = name.split('.');
  return [top, `${top}.py`, `${top}.pyi`];
}

function remedyOf(family: ReachFamily, names: readonly string[], isInWorkspace: IsInWorkspace): string {
  const has = (name: string) => isInWorkspace(childOf(rootPath, name));
  switch (family) {
    case 'python': {
      if (has('uv.lock')) return 'Run uv sync.';
      if (has('poetry.lock')) return 'Run poetry install.';
      const tops = [...new Set(names.map((name) => name.split('.')[0]))].join(' ');
      return `Install them into the environment of the workspace (.venv, or the python on the search path): pip install ${has('requirements.txt') ? '-r requirements.txt' : tops}.`;
    }
    case 'ecmascript':
      if (has('pnpm-lock.yaml')) return 'Run pnpm install.';
      if (has('yarn.lock')) return 'Run yarn install.';
      return has('bun.lock') || has('bun.lockb') ? 'Run bun install.' : 'Run npm install.';
    case 'go':
      return 'Run go mod download.';
    default:
      return 'Install what declares them, and name its place in the build configuration.';
  }
}
