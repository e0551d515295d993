/**
 * Runs a short command to its end.
 *
 * Invariant: when the promise settles, whatever the reason, the command is no longer running.
 */
import type { Readable } from 'node:stream';
import { Deadline } from '../base/deadline.ts';
import { silentLog } from '../base/log.ts';
import { type ChildExit, type ChildHandle, spawnChild } from './child-process.ts';

export interface CommandOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  /** The command's whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** What it reads from its standard input; nothing when absent. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** How much of each output stream is kept; the rest is read and dropped. */
  readonly maxOutputBytes: number;
}

export interface CommandResult {
  /** The exit code, absent when a signal (our own after a timeout, too) ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** A failing exit code and a timeout are results; a missing program and the caller's abort are thrown. */
export async function runCommand(options: CommandOptions, signal: AbortSignal): Promise<CommandResult> {
  signal.throwIfAborted();
  const child = spawnChild({ ...options, log: silentLog });
  const stdout = collect(child.stdout, options.maxOutputBytes);
  const stderr = collect(child.stderr, options.maxOutputBytes);
  child.stdin.end(options.input ?? '');
  using deadline = new Deadline(options.timeoutMs, signal);
  const exit = await exitOrKill(child, deadline.signal);
  if (signal.aborted && !deadline.expired) throw signal.reason;
  return { code: exit.code, stdout: stdout(), stderr: stderr(), timedOut: deadline.expired };
}

async function exitOrKill(child: ChildHandle, signal: AbortSignal): Promise<ChildExit> {
  const kill = (): void => void child.terminate(0);
  if (signal.aborted) kill();
  else signal.addEventListener('abort', kill, { once: true });
  try {
    return await child.exited;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function collect(stream: Readable, maxBytes: number): () => string {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  stream.on('data', (chunk: Buffer) => {
    if (room <= 0) return;
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
  });
  return () => Buffer.concat(chunks).toString();
}
