/** How to start a program so that it sees a workspace in a given state. */
import type { ReachedSocket } from './internal/inside-socket.ts';

export type { ReachedSocket } from './internal/inside-socket.ts';

export interface LaunchRequest {
  readonly command: readonly string[];
  /** As seen inside; absent: the root of the workspace. */
  readonly cwd?: string | undefined;
  /** Our environment, of which a confined program gets a harmless part. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** Added to the inherited part. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface Launch {
  readonly command: readonly string[];
  readonly cwd: string;
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** A site at which programs can be started. */
export interface LaunchSite extends AsyncDisposable {
  /** The workspace root as the program sees it. */
  readonly root: string;
  /** `confined`: no network, no secrets, no writes outside of its cache. `open`: all rights of this process. */
  readonly confinement: 'confined' | 'open';
  launch(request: LaunchRequest): Promise<Launch>;
  /** Opens a socket by the path that a started program gives it; absent: that path leads there from outside, too. */
  socketAt?(path: string): Promise<ReachedSocket>;
}

/** The environment of a program that is not confined. */
export function openEnvironment({ inherited, env }: LaunchRequest): Record<string, string> {
  const entries = Object.entries({ ...inherited, ...env });
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
