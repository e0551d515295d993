/**
 * Libraries that a server could not find, as its own diagnostics name them, and what installs them.
 *
 * What flows from a module that was not found has no type, so that errors in its uses do not show: the absence of errors
 * proves nothing there, and an error may be due to nothing but the missing module.
 *
 * Invariant: a module of the workspace itself is no library. That it is missing is an error like any other.
 */

import type { ReachFamily } from '../graph/reach/reach-family.ts';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import { ancestorsOf, childOf, rootPath, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { FileDiagnostics } from './proof.ts';

/** Whether a file or directory is in the workspace, before the change or after it. */
export type IsInWorkspace = (path: WorkspacePath) => boolean;

/** The names of libraries that these answers say are missing, in order, each once. */
export function missingLibraries(
  family: ReachFamily,
  answers: readonly FileDiagnostics[],
  isInWorkspace: IsInWorkspace,
): readonly string[] {
  const names = new Set<string>();
  for (const { path, diagnostics, isUnowned, isApart } of answers) {
    // What no project checks is looked at without the libraries of any.
    if (isUnowned || isApart) continue;
    for (const diagnostic of diagnostics) {
      const name = libraryIn(family, diagnostic);
      if (name !== undefined && !isOwn(family, name, path, isInWorkspace)) names.add(name);
    }
  }
  return [...names].sort();
}

/** A sentence that names the libraries and says how to get them. */
export function missingLibraryDoubt(
  family: ReachFamily,
  names: readonly string[],
  isInWorkspace: IsInWorkspace,
): string {
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `Not installed here, so what flows from them was not checked: ${shown}${more}. ${remedyOf(family, names, isInWorkspace)}`;
}

/** The module a diagnostic says cannot be found; undefined for other diagnostics and for modules named by a path. */
export function libraryIn(family: ReachFamily, { code, message }: Diagnostic): string | undefined {
  const pattern = patterns[family]?.get(String(code));
  const name = pattern?.exec(message)?.[1];
  return name === undefined || isPath.test(name) ? undefined : name;
}

/** What names a file, or an alias that no registry could hold. */
const isPath = /^(?:[./#~]|@\/)/;

const quoted = /['"“]([^'"”]+)['"”]/;
const proposed = /install type definitions for ([\w./@-]+)/;

/** By the code of the diagnostic, how its message names the module. */
const patterns: Partial<Record<ReachFamily, ReadonlyMap<string, RegExp>>> = {
  // `reportMissingModuleSource` is not among them: there a stub was found, and every type comes from it.
  python: new Map([['reportMissingImports', quoted]]),
  ecmascript: new Map([
    ...['2307', '2792', '7016', '2688', '2732', '2875'].map((code) => [code, quoted] as const),
    ...['2580', '2581', '2582', '2591', '2592', '2593'].map((code) => [code, proposed] as const),
  ]),
  go: new Map([
    ['BrokenImport', /could not import (\S+) \((?:no required module|missing go\.sum|cannot find module)/],
  ]),
  c: new Map([['pp_file_not_found', quoted]]),
};

/**
 * Whether the name is one of the workspace's own modules, looked for from every directory above the importer: the search
 * roots of a project are among them.
 */
function isOwn(family: ReachFamily, name: string, importer: WorkspacePath, isThere: IsInWorkspace): boolean {
  const entries = entriesOf(family, name);
  const roots = [...ancestorsOf(importer), rootPath].flatMap((directory) =>
    ['', 'src', 'include'].map((inner) => (inner === '' ? directory : childOf(directory, inner))),
  );
  return roots.some((root) => entries.some((entry) => isThere(childOf(root, entry))));
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
