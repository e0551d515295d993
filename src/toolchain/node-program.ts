/**
 * Programs that packages of a workspace bring along.
 *
 * Invariant: nothing is ever downloaded; a program is taken from the workspace, from what stands above it, or from the path.
 */
import { dirname, join } from 'node:path';

/** Every way to run a program, the nearest first. */
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
