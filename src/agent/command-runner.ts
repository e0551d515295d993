/**
 * The port through which the agent runs commands. A live agent's runs them on the workspace itself, a fork's in a
 * sandbox that shows the overlay.
 */
import type { Overlay } from '../overlay/overlay.ts';
import type { FinishedCommand } from '../sandbox/command-outcome.ts';
import type { CommandBoundary } from '../shell/boundary.ts';
import type { RootView } from './files/agent-root.ts';

export interface CommandRunner {
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandRun>;
}

export interface CommandRequest {
  /** The tool call that the command belongs to. */
  readonly callId: string;
  readonly root: RootView;
  readonly command: string;
  readonly timeoutMs: number;
  /** Of what a command prints no more than this is kept. */
  readonly maxOutputBytes: number;
}

/** The outcome of a command with what it did to the files. */
export type CommandRun = FinishedRun | CommandBoundary;

export interface FinishedRun extends FinishedCommand {
  /** The files with what the command changed; absent where it changed nothing or the disk itself. */
  readonly overlay?: Overlay;
  /** Absent where everything the command wrote is in the overlay, on the disk, or computed again when it is missing. */
  readonly lost?: LostFiles;
}

/** Files that a command wrote where an overlay cannot hold them: they are gone with the sandbox. */
export interface LostFiles {
  /** Relative to the workspace, or absolute outside it; not necessarily all, and none where they could not be listed. */
  readonly paths: readonly string[];
  readonly listed: 'all' | 'some';
}
