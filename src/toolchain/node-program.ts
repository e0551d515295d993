/**
 * Locates programs of npm packages in a workspace.
 *
 * Invariant: nothing is downloaded; a program comes from the workspace, from a directory above it, or from the search
 * path.
 */
import { dirname, join } from 'node:path';

/** All ways to run a program, nearest first. */
export function nodeProgram(
  root: string,
  program: string,
  args: readonly string[],
): readonly (readonly string[])[] {
  const places: string[] = [];
  for (let directory = root; ; directory = dirname(directory)) {
    places.push(join(directory, 'node_modules', '.bin', program));
    if (dirname(directory) === directory) break;
  }
  return [...places, program].map((each) => [each, ...args]);
}
