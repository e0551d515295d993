/**
 * The surroundings of a command: the visible files, the caller's variables, and how to enter the mount that shows the
 * files.
 *
 * Invariant: a command is started in exactly one directory, as seen by the command itself.
 */
import type { MergedView } from './merged-view.ts';

export interface CommandWorld {
  readonly view: MergedView;
  readonly root: string;
  /** The source of the commands' environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Wraps a command so that it runs in a mount; absent if the disk itself shows the files. */
  readonly wrapCommand?: ((command: readonly string[], cwd: string) => readonly string[]) | undefined;
}

export interface PlacedCommand {
  readonly command: readonly string[];
  readonly cwd: string;
}

/** A directory that exists only in the mount cannot be entered from outside, so the wrapped command enters it. */
export function placeCommand(world: CommandWorld, command: readonly string[], cwd: string): PlacedCommand {
  return world.wrapCommand ? { command: world.wrapCommand(command, cwd), cwd: '/' } : { command, cwd };
}
