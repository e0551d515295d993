/**
 * Walks directories breadth first, those of one depth concurrently.
 *
 * The visitor decides which entries count and which directories are entered; ignore rules are in `ignore-rules.ts`.
 *
 * Invariants: a directory is visited before those below it. After a failure no further visit is started, and running
 * visits have ended before the failure is thrown.
 */
import { mapConcurrently } from './concurrency.ts';

export interface TreeVisit<Directory> {
  /** Reads one directory and returns the subdirectories to enter. */
  readonly visit: (directory: Directory) => Promise<readonly Directory[]>;
  /** Ends the walk early; checked before each directory. */
  readonly isDone?: () => boolean;
  /** Number of concurrent visits; default: suited to the thread pool. */
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
