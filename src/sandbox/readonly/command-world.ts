/**
 * What surrounds a command that runs: the files it sees, the caller's variables, and the way inside when
 * the files are shown by a mount.
 *
 * Invariant: a command is placed in exactly one directory, as seen by the command itself.
 */
import type { MergedView } from './merged-view.ts';

export interface CommandWorld {
  readonly view: MergedView;
  readonly root: string;
  /** What the environment of commands is picked from. */
  readonly env: NodeJS.ProcessEnv;
  /** Leads a command into a mount; absent when the disk itself shows the files. */
  readonly wrapCommand?: ((command: readonly string[], cwd: string) => readonly string[]) | undefined;
}

export interface PlacedCommand {
  readonly command: readonly string[];
  readonly cwd: string;
}

/** A directory that only the mount shows cannot be entered from outside, so the wrapped command enters it itself. */
export function placeCommand(world: CommandWorld, command: readonly string[], cwd: string): PlacedCommand {
  return world.wrapCommand ? { command: world.wrapCommand(command, cwd), cwd: '/' } : { command, cwd };
}
