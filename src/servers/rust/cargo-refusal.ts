/**
 * Why cargo refused a project before or beside the compiler: a manifest, lock file or configuration that it cannot
 * parse, a package that does not exist, a build script that failed.
 *
 * Invariant: an error that may be caused by the missing network is not reported as an error of the project.
 */
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import type { CargoRun } from './cargo-messages.ts';
import { manifestIn, manifestName } from './cargo-project.ts';

export interface CargoRefusal {
  /** Where it can be reported, the best place first. */
  readonly places: readonly string[];
  readonly diagnostic: Diagnostic;
}

/** `project` is the directory, relative to the workspace, that cargo was run in. */
export function cargoRefusal(
  { code, stdout, stderr }: CargoRun,
  { root, project }: { readonly root: string; readonly project: string },
): CargoRefusal | undefined {
  if (code === 0 || code === undefined || /\boffline\b/.test(stderr)) return undefined;
  const directory = join(root, project);
  const script = /^error: (failed to run custom build command for `([^`]*)`)/m.exec(stderr);
  if (script) {
    const home = packageDirectory(script[2] ?? '', root);
    const reason = /^\s+(.* panicked at [^\n]*\n[^\n]*)/m.exec(stderr)?.[1]?.replace(/ \(\d+\)/, '');
    const message = [script[1], reason?.replace(/\n\s*/, ' ')].filter(Boolean).join(': ');
    const places = home === undefined ? [] : [below(home, 'build.rs'), manifestIn(home)];
    return { places: [...places, manifestIn(project)], diagnostic: at(shorten(message, root)) };
  }
  // A build that was begun ends with this record, and its problems are reported one by one.
  if (stdout.includes('"reason":"build-finished"')) return undefined;
  const text = stderr.slice(Math.max(0, stderr.search(/^error\b/m)));
  if (!text.startsWith('error')) return undefined;
  const arrow = /^\s*--> (.+?)(?::(\d+):(\d+))?$/m.exec(text);
  const within = /\bat line (\d+), column (\d+)/.exec(text);
  const [, member] = /\bworkspace member `([^`]+)`/.exec(text) ?? [];
  const named = [arrow?.[1], member && join(member, manifestName)];
  const places = [...named, ...[...text.matchAll(configuration)].map(([file]) => file)]
    .flatMap((file) => (file ? [relative(root, resolve(directory, file))] : []))
    .filter((path) => !path.startsWith('..') && !isAbsolute(path));
  const [line, column] = [arrow?.[2] ?? within?.[1], arrow?.[3] ?? within?.[2]];
  return {
    places: [...places.map((path) => path.replaceAll('\\', '/')), manifestIn(project)],
    diagnostic: at(shorten(sentence(text), root), Number(line ?? 1) - 1, Number(column ?? 1) - 1),
  };
}

/** Paths of files that configure a build. */
const configuration = /\/[^\s`'"]*?(?:Cargo\.toml|Cargo\.lock|\.cargo\/config(?:\.toml)?)/g;

function at(message: string, line = 0, character = 0): Diagnostic {
  const start = { line, character };
  return { range: { start, end: start }, severity: 'error', message, source: 'cargo' };
}

/** The error with its causes, without the quoted source. */
function sentence(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const kept = lines.filter((line) => line !== '' && !/^(?:Caused by:|-->|\||\d+ \|)/.test(line));
  return kept
    .slice(0, 6)
    .join('; ')
    .replace(/^error: /, '');
}

/** The directory in `name v1.0.0 (/path)`, if it lies in the workspace. */
function packageDirectory(specification: string, root: string): string | undefined {
  const directory = /\(([^)]+)\)$/.exec(specification)?.[1];
  const path = directory && relative(root, directory);
  return path === undefined || path.startsWith('..') || isAbsolute(path) ? undefined : path;
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

function shorten(message: string, root: string): string {
  return message.replaceAll(`${root}/`, '').replaceAll(root, '.');
}
