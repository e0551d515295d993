/**
 * Runs a short command to its end.
 *
 * Invariant: when the promise settles, for any reason, the command is not running.
 */
import type { Readable } from 'node:stream';
import { silentLog } from '../base/log.ts';
import { spawnChild } from './child-process.ts';
import { OutputCapture } from './output-capture.ts';
import { runToEnd } from './run-to-end.ts';

export interface CommandOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  /** The complete environment of the command. */
  readonly env: NodeJS.ProcessEnv;
  /** Its standard input; absent: empty. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** Limit for each output stream; the rest is read and dropped. */
  readonly maxOutputBytes: number;
}

export interface CommandResult {
  /** The exit code; absent if a signal terminated it, including ours after a timeout. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** Whether either stream exceeded the limit. */
  readonly truncated: boolean;
}

/** A nonzero exit code and a timeout are results; a missing program and the caller's abort are thrown. */
export async function runCommand(options: CommandOptions, signal: AbortSignal): Promise<CommandResult> {
  signal.throwIfAborted();
  const child = spawnChild({ ...options, log: silentLog });
  const stdout = captured(child.stdout, options.maxOutputBytes);
  const stderr = captured(child.stderr, options.maxOutputBytes);
  child.stdin.end(options.input ?? '');
  const { exit, timedOut } = await runToEnd(child, options, signal);
  const truncated = stdout.isTruncated || stderr.isTruncated;
  return { code: exit.code, stdout: stdout.toString(), stderr: stderr.toString(), timedOut, truncated };
}

function captured(stream: Readable, maxBytes: number): OutputCapture {
  const capture = new OutputCapture({ maxBytes, keep: 'start' });
  stream.on('data', (chunk: Buffer) => capture.append(chunk));
  return capture;
}
