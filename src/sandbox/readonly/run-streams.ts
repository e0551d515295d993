/**
 * The input and output of a part of a run, and the state that all parts share.
 *
 * Invariant: redirects take effect in their order, as in a shell.
 */
import type { OutputRedirect } from '../../shell/syntax/shell-list.ts';
import type { CommandWorld } from './command-world.ts';

/** The target of output. */
export interface Sink {
  append(chunk: Buffer): void;
}

export interface Streams {
  /** The input of the first command; undefined if there is none. */
  readonly input: Buffer | undefined;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** The state shared by all parts of one run. */
export interface RunContext {
  readonly world: CommandWorld;
  readonly signal: AbortSignal;
  /** Ends the run because the output limit is reached. */
  readonly onFull: () => void;
}

export const nowhere: Sink = { append: () => undefined };

export function redirected(streams: Streams, redirects: readonly OutputRedirect[]): Streams {
  let { stdout, stderr } = streams;
  for (const redirect of redirects) {
    if (redirect === '>/dev/null' || redirect === '&>/dev/null') stdout = nowhere;
    if (redirect === '2>/dev/null' || redirect === '&>/dev/null') stderr = nowhere;
    if (redirect === '2>&1') stderr = stdout;
    if (redirect === '>&2') stdout = stderr;
  }
  return { ...streams, stdout, stderr };
}
