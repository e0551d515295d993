/**
 * The common interface of all sandbox tiers.
 *
 * Invariant: `tier` says what is guaranteed; callers need not distinguish tiers otherwise.
 */
import type { Log } from '../base/log.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CommandOutcome } from './command-outcome.ts';
import type { HarvestOutcome } from './harvest.ts';
import type { SandboxLimits } from './sandbox-limits.ts';

/**
 * `isolated`: real commands in namespaces over an overlay filesystem. `copied`: on a copy, unconfined. `readonly`: on
 * the workspace itself, and only commands whose text proves that they change nothing.
 */
export type Tier = 'isolated' | 'copied' | 'readonly';

export interface Sandbox extends AsyncDisposable {
  readonly tier: Tier;
  /** Why it is not a better tier; empty for the best one. */
  readonly because: string;
  /** The workspace root as a command sees it. */
  readonly root: string;
  /** Runs a shell text or an argument vector to its end. When it settles, no process of the command is left. */
  run(command: CommandLine, options: RunOptions, signal: AbortSignal): Promise<CommandOutcome>;
  /** Shows another overlay. Changes of commands since the last harvest are kept. */
  show(overlay: Overlay, signal: AbortSignal): Promise<void>;
  /** The changes of commands since the last harvest; they become part of the shown overlay. */
  harvest(signal: AbortSignal): Promise<HarvestOutcome>;
}

export type CommandLine = string | readonly string[];

export interface RunOptions {
  readonly timeoutMs: number;
  /** The part of each stream that is kept: its beginning and its end. */
  readonly maxOutputBytes?: number | undefined;
  /** Added to the inherited part of our environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: WorkspacePath;
  /** Receives output while the command runs. */
  readonly onOutput?: (text: string) => void;
}

/** The parameters for opening a tier. */
export interface SandboxRequest {
  readonly workspace: Workspace;
  readonly overlay: Overlay;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits: SandboxLimits;
  readonly log: Log;
  /** Why the tiers before it are not available. */
  readonly because: string;
}
