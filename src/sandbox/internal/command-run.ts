/**
 * Runs a command to its end, within its time and output limits.
 *
 * Invariant: when the promise settles, no process of the command is running inside its confinement.
 */
import type { Readable } from 'node:stream';
import { silentLog } from '../../base/log.ts';
import { type ChildHandle, spawnChild } from '../../process/child-process.ts';
import { OutputCapture } from '../../process/output-capture.ts';
import { runToEnd } from '../../process/run-to-end.ts';
import type { FinishedCommand } from '../command-outcome.ts';

interface CommandRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Terminates the command early. */
  readonly end: (child: ChildHandle) => Promise<void>;
}

export async function runConfined(
  run: CommandRun,
  signal: AbortSignal,
): Promise<Omit<FinishedCommand, 'diskFull'>> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const child = spawnChild({ command: run.argv, cwd: run.cwd, env: run.env, log: silentLog });
  const stdout = captured(child.stdout, run);
  const stderr = captured(child.stderr, run);
  child.stdin.end();
  const { exit, timedOut } = await runToEnd(child, run, signal);
  return {
    kind: 'finished',
    code: timedOut ? undefined : exit.code,
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    truncated: stdout.isTruncated || stderr.isTruncated,
    timedOut,
    durationMs: performance.now() - startedAt,
  };
}

function captured(stream: Readable, { maxOutputBytes, onOutput }: CommandRun): OutputCapture {
  const capture = new OutputCapture({ maxBytes: maxOutputBytes, keep: 'both-ends' });
  stream.on('data', (chunk: Buffer) => {
    capture.append(chunk);
    onOutput?.(chunk.toString());
  });
  return capture;
}
