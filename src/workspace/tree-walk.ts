/**
 * The one way directories are walked: breadth first, those of one depth together.
 *
 * Which entries count and which directories are entered is up to the visitor; ignore rules are in `ignore-rules.ts`.
 *
 * Invariants: a directory is visited before those below it. After a failure nothing new is visited, and visits under way
 * have ended before the failure is thrown.
 */
import { mapConcurrently } from './concurrency.ts';

export interface TreeVisit<Directory> {
  /** Reads one directory and answers those below it to enter. */
  readonly visit: (directory: Directory) => Promise<readonly Directory[]>;
  /** Ends the walk early; asked before each directory. */
  readonly isDone?: () => boolean;
  /** How many directories are visited at the same time; default: as many as the thread pool has use for. */
  readonly together?: number;
}

export async function walkTree<Directory>(
  start: Directory,
  { visit, isDone = () => false, together = 32 }: TreeVisit<Directory>,
  signal: AbortSignal,
): Promise<void> {
  let level: readonly Directory[] = [start];
  while (level.length > 0) {
    const below = await mapConcurrently(level, together, async (directory) => {
      signal.throwIfAborted();
      return isDone() ? [] : visit(directory);
    });
    level = below.flat();
  }
}
