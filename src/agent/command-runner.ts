/**
 * The port through which the agent runs commands: on the workspace itself for a live conversation, in a sandbox that
 * shows the overlay for a fork.
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
  /** Output beyond this is dropped. */
  readonly maxOutputBytes: number;
}

/** The outcome of a command and its changes to files. */
export type CommandRun = FinishedRun | CommandBoundary;

export interface FinishedRun extends FinishedCommand {
  /** The files with the command's changes; absent if it changed nothing, or changed the disk itself. */
  readonly overlay?: Overlay;
  /** Absent if every file the command wrote is in the overlay, on disk, or a cache that is computed again. */
  readonly lost?: LostFiles;
}

/** Files that a command wrote where an overlay cannot hold them. They are deleted with the sandbox. */
export interface LostFiles {
  /**
   * Relative to the workspace, or absolute if outside it. The list may be incomplete; it is empty if the files could
   * not be listed.
   */
  readonly paths: readonly string[];
  readonly listed: 'all' | 'some';
}
