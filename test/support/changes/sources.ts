/**
 * The files of a workspace that changes are drawn from.
 *
 * Invariant: paths are relative, sorted, and hold neither dependencies nor what git ignores.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../seeded-random.ts';
import type { WorkspaceFiles } from '../truth/workspace-files.ts';

export interface Sources {
  readonly paths: readonly string[];
  /** The text of a file; undefined where there is none. */
  text(path: string): string | undefined;
}

export function sourcesOf(files: WorkspaceFiles): Sources {
  const paths = Object.keys(files)
    .filter((path) => !path.split('/').includes('node_modules'))
    .sort();
  return { paths, text: (path) => files[path] };
}

/** The files of a directory: those git does not ignore where it is a repository, else all but dependencies. */
export function sourcesIn(directory: string): Sources {
  const listed = existsSync(join(directory, '.git')) ? notIgnored(directory) : walked(directory, '');
  const paths = listed.filter((path) => isFile(join(directory, path))).sort();
  const texts = new Map<string, string>();
  const known = new Set(paths);
  return {
    paths,
    text: (path) => {
      if (!known.has(path)) return undefined;
      const text = texts.get(path) ?? readFileSync(join(directory, path), 'utf8');
      texts.set(path, text);
      return text;
    },
  };
}

/** The sources without those a predicate leaves out; their texts can still be read. */
export function sourcesWhere(sources: Sources, isWanted: (path: string) => boolean): Sources {
  return { paths: sources.paths.filter(isWanted), text: (path) => sources.text(path) };
}

/** A path that ends in one of these, drawn; undefined where there is none. */
export function drawPath(sources: Sources, random: SeededRandom, matches: RegExp): string | undefined {
  return drawOne(
    sources.paths.filter((path) => matches.test(path)),
    random,
  );
}

export function drawOne<T>(choices: readonly T[], random: SeededRandom): T | undefined {
  return choices.length === 0 ? undefined : choices[random.below(choices.length)];
}

/** A text with what stands between two offsets replaced. */
export function spliced(text: string, span: { start: number; end: number }, replacement: string): string {
  return text.slice(0, span.start) + replacement + text.slice(span.end);
}

function notIgnored(directory: string): string[] {
  const known = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', known, {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return listed.split('\0').filter((path) => path !== '');
}

function walked(directory: string, prefix: string): string[] {
  return readdirSync(join(directory, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.name === 'node_modules' || entry.name === '.git') return [];
    return entry.isDirectory() ? walked(directory, path) : [path];
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
