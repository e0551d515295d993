import type { WorkspacePath } from './workspace-path.ts';

/**
 * What no search, walk or watch looks into: dependencies, build output, caches and hidden directories.
 */

/** Names that are ignored whatever they name. */
const alwaysIgnored = new Set([
  'node_modules',
  '.git',
  '.svn',
  '.hg',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.next',
  '.cache',
  '.idea',
  '.vscode',
]);

/** Words that are also good names for files; only directories of these names are ignored. */
const ignoredAsDirectory = new Set(['target', 'build', 'dist', 'vendor']);

/** Whether a directory of this name is passed over. */
export function isIgnoredDirectory(name: string): boolean {
  return (name.startsWith('.') && name !== '.') || alwaysIgnored.has(name) || ignoredAsDirectory.has(name);
}

/** Whether a file at `path` is passed over, judged by its name and those of its directories. */
export function isIgnored(path: WorkspacePath): boolean {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  return alwaysIgnored.has(name) || segments.some(isIgnoredDirectory);
}

/** The same rules as globs, for a watcher that filters before it wakes us. */
export const ignoredGlobs: readonly string[] = [
  ...[...alwaysIgnored, ...ignoredAsDirectory, '.*'].map((name) => `**/${name}/**`),
];
