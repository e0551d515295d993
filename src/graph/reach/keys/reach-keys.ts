import type { WorkspacePath } from '../../../workspace/workspace-path.ts';

/** Whether a file is there before and after a change, or only on one side of it. */
export type Presence = 'stays' | 'comes-or-goes';

/**
 * How the files of a family name one another, as keys that an import shares with every file it may mean.
 *
 * Invariant: if resolving an import of `from` could end at `path`, `importKeys(from, …)` and
 * `fileKeys(path, …)` have a key in common. Keys are case-folded, since some disks are.
 */
export interface ReachKeys {
  /** The keys under which `from` is filed for what it imports. */
  importKeys(from: WorkspacePath, specifiers: readonly string[]): Iterable<string>;
  /** The keys under which importers of `path` are filed. */
  fileKeys(path: WorkspacePath, presence: Presence): Iterable<string>;
  /** Takes note of a file that sets the terms for the others; `undefined` when it is gone. */
  configure(path: WorkspacePath, text: string | undefined): void;
  /** Whether `path` is in a part of the workspace that reads nothing of the changed files. */
  isApart?(path: WorkspacePath, changed: readonly WorkspacePath[]): boolean;
  /** What about the configuration could not be understood, if anything. */
  doubt(): string | undefined;
}
