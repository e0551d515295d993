/**
 * What every tier of sandbox does alike.
 *
 * Invariant: a caller can tell by `tier` what is promised, and needs to tell nothing else apart.
 */
import type { Log } from '../base/log.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CommandOutcome } from './command-outcome.ts';
import type { HarvestOutcome } from './harvest.ts';
import type { SandboxLimits } from './sandbox-limits.ts';

/**
 * `isolated`: namespaces and an overlay filesystem, commands run for real. `copied`: on a copy, unconfined.
 * `readonly`: on the workspace itself, and only what its text proves to change nothing.
 */
export type Tier = 'isolated' | 'copied' | 'readonly';

export interface Sandbox extends AsyncDisposable {
  readonly tier: Tier;
  /** Why it is not a better tier; empty for the best. */
  readonly because: string;
  /** The workspace's root as a command sees it. */
  readonly root: string;
  /** Runs a shell text or an argument vector to its end. When it settles, nothing the command started is left. */
  run(command: CommandLine, options: RunOptions, signal: AbortSignal): Promise<CommandOutcome>;
  /** Shows another overlay. What commands changed since the last harvest stays as they left it. */
  show(overlay: Overlay, signal: AbortSignal): Promise<void>;
  /** What the commands changed since the last harvest; from then on it is part of what is shown. */
  harvest(signal: AbortSignal): Promise<HarvestOutcome>;
}

export type CommandLine = string | readonly string[];

export interface RunOptions {
  readonly timeoutMs: number;
  /** How much of each stream is kept: its beginning and its end. */
  readonly maxOutputBytes?: number | undefined;
  /** Added to what is passed on of our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: WorkspacePath;
  /** Hears what the command prints, as it prints it. */
  readonly onOutput?: (text: string) => void;
}

/** What a tier is opened with. */
export interface SandboxRequest {
  readonly workspace: Workspace;
  readonly overlay: Overlay;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits: SandboxLimits;
  readonly log: Log;
  /** Why the tiers before it could not be had. */
  readonly because: string;
}
