/**
 * Runs a command to its end, within its time and output.
 *
 * Invariant: when the promise settles, nothing the command started inside its confinement runs any more.
 */
import { Deadline } from '../../base/deadline.ts';
import { silentLog } from '../../base/log.ts';
import { type ChildExit, type ChildHandle, spawnChild } from '../../process/child-process.ts';
import type { FinishedCommand } from '../command-outcome.ts';
import { CapturedOutput } from './captured-output.ts';

export interface CommandRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Ends the command before its time. */
  readonly end: (child: ChildHandle) => Promise<void>;
}

export async function runToEnd(
  run: CommandRun,
  signal: AbortSignal,
): Promise<Omit<FinishedCommand, 'diskFull'>> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const child = spawnChild({ command: run.argv, cwd: run.cwd, env: run.env, log: silentLog });
  const hear = (chunk: Buffer): void => run.onOutput?.(chunk.toString());
  const stdout = new CapturedOutput(child.stdout, run.maxOutputBytes, hear);
  const stderr = new CapturedOutput(child.stderr, run.maxOutputBytes, hear);
  child.stdin.end();
  using deadline = new Deadline(run.timeoutMs, signal);
  const exit = await exitOrEnd(child, run.end, deadline.signal);
  if (signal.aborted && !deadline.expired) throw signal.reason;
  return {
    kind: 'finished',
    code: deadline.expired ? undefined : exit.code,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.isTruncated || stderr.isTruncated,
    timedOut: deadline.expired,
    durationMs: performance.now() - startedAt,
  };
}

async function exitOrEnd(
  child: ChildHandle,
  end: CommandRun['end'],
  signal: AbortSignal,
): Promise<ChildExit> {
  let ending: Promise<void> = Promise.resolve();
  const onAbort = (): void => {
    ending = end(child);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exit = await child.exited;
    await ending;
    return exit;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
