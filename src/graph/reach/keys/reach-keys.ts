import type { WorkspacePath } from '../../../workspace/workspace-path.ts';

/** Whether a file exists before and after a change, or only on one side of it. */
export type Presence = 'stays' | 'comes-or-goes';

/**
 * How files of a family import one another, as keys that an import shares with every file it may refer to.
 *
 * Invariant: if resolving an import of `from` could end at `path`, `importKeys(from, …)` and `fileKeys(path, …)` have
 * a key in common. Keys are case-folded, since some file systems are.
 */
export interface ReachKeys {
  /** The keys of the imports of `from`. */
  importKeys(from: WorkspacePath, specifiers: readonly string[]): Iterable<string>;
  /** The keys by which importers of `path` are found. */
  fileKeys(path: WorkspacePath, presence: Presence): Iterable<string>;
  /** Reports a configuration file; `undefined` if it was deleted. */
  configure(path: WorkspacePath, text: string | undefined): void;
  /** Whether `path` is in a part of the workspace that reads none of the changed files. */
  isApart?(path: WorkspacePath, changed: readonly WorkspacePath[]): boolean;
  /** What about the configuration could not be parsed, if anything. */
  doubt(): string | undefined;
}
