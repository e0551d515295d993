/**
 * A child process that cannot outlive this process.
 *
 * It leads its own process group, in which a watchdog holds the reading end of a pipe that only this process writes
 * to. However this process ends, even by SIGKILL, the kernel closes the writing end, and the watchdog kills the
 * group. The watchdog is forked before the program starts, so there is no unprotected moment.
 *
 * Invariant: when `exited` has resolved, no process of the child's process group is running.
 */

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { errnoOf } from '../base/errno.ts';
import type { Log } from '../base/log.ts';
import { findExecutable } from './internal/executable.ts';
import { OutputCapture } from './output-capture.ts';
import { CommandNotFound, SpawnFailed } from './process-failure.ts';

export interface ChildOptions {
  /** The program and its arguments; no shell parses them. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The complete environment of the child. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Open files that the child inherits: their descriptors by the number that they get in the child, above 9. */
  readonly files?: ReadonlyMap<number, number> | undefined;
}

export interface ChildExit {
  /** The exit code; absent if a signal terminated it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

export interface ChildHandle {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The last 4 KiB of the child's standard error. */
  readonly stderrTail: string;
  /** Resolves, never rejects, when the child and its group have ended. */
  readonly exited: Promise<ChildExit>;
  /** Asks the group to terminate and kills it after `graceMs`; at once if that is zero. */
  terminate(graceMs: number): Promise<ChildExit>;
}

/** Starts a program; throws `CommandNotFound` or `SpawnFailed` if that fails. */
export function spawnChild(options: ChildOptions): ChildHandle {
  const [program = '', ...args] = options.command;
  const executable = findExecutable(program, options);
  if (executable === undefined) throw new CommandNotFound(program);
  if (!isDirectory(options.cwd)) {
    throw new SpawnFailed(program, {
      message: `its working directory ${options.cwd} does not exist`,
      remedy: 'Give an existing directory.',
    });
  }
  const child = isGuardable()
    ? spawnGuarded(executable, args, options)
    : spawnPlain(executable, args, options);
  if (child.pid === undefined) {
    child.on('error', (cause) =>
      options.log.warning('process.spawn_failed', { program, error: cause.message }),
    );
    throw new SpawnFailed(program, {
      message: 'the operating system refused',
      remedy: 'Check the limits on processes, memory and open files.',
    });
  }
  return new GuardedChild(child, child.pid, options.log);
}

type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>;

const stderrTailBytes = 4096;

/** Time limit for draining a dead child's output while a descendant holds it open. */
const drainMs = 100;

/**
 * Forks the watchdog and then executes the program. The watchdog ignores termination signals, which go to the whole
 * group. `kill -s` is the only spelling that every POSIX shell accepts with a negative number.
 */
const guardedLaunch =
  `{ trap '' TERM INT HUP; exec <&3 >/dev/null 2>&1; read -r _ || kill -s KILL -- -$$; } & ` +
  'exec 3<&-; exec "$@"';

const shell = '/bin/sh';

function isGuardable(): boolean {
  return process.platform !== 'win32' && existsSync(shell);
}

function spawnGuarded(executable: string, args: readonly string[], options: ChildOptions): PipedChild {
  const child: ChildProcess = spawn(shell, ['-c', guardedLaunch, shell, executable, ...args], {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...inheritedFrom(4, options.files)],
  });
  const lifeline = child.stdio[3];
  // The watchdog never writes and its end is expected, so neither may keep this process alive or end it.
  lifeline?.on('error', (cause) => options.log.debug('process.lifeline_lost', { error: cause.message }));
  if (lifeline && 'unref' in lifeline && typeof lifeline.unref === 'function') lifeline.unref();
  child.once('exit', () => lifeline?.destroy());
  return withStreams(child);
}

function withStreams(child: ChildProcess): PipedChild {
  if (!isPiped(child)) throw new TypeError('a child was started without its streams');
  return child;
}

function isPiped(child: ChildProcess): child is PipedChild {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

/** The descriptors from `first` on; `ignore` opens nothing above the standard streams. */
function inheritedFrom(first: number, files: ChildOptions['files'] = new Map()): ('ignore' | number)[] {
  const count = Math.max(0, ...[...files.keys()].map((number) => number - first + 1));
  return Array.from({ length: count }, (_, index) => files.get(first + index) ?? 'ignore');
}

/** Without a POSIX shell, the child is killed only when this process exits normally. */
function spawnPlain(executable: string, args: readonly string[], options: ChildOptions): PipedChild {
  const child: ChildProcess = spawn(executable, args, {
    cwd: options.cwd,
    env: options.env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe', ...inheritedFrom(3, options.files)],
  });
  const kill = () => killGroup(child, 'SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  return withStreams(child);
}

class GuardedChild implements ChildHandle {
  readonly pid: number;
  readonly exited: Promise<ChildExit>;
  readonly #child: PipedChild;
  readonly #tail = new OutputCapture({ maxBytes: stderrTailBytes, keep: 'end' });
  #hasEnded = false;

  constructor(child: PipedChild, pid: number, log: Log) {
    this.pid = pid;
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.#tail.append(chunk);
      log.debug('process.stderr', { pid, text: chunk.toString() });
    });
    // A child that ends while it is written to is reported by `exited`; the broken pipe adds nothing.
    child.stdin.on('error', (cause) => log.debug('process.stdin_closed', { pid, error: cause.message }));
    child.on('error', (cause) => log.warning('process.error', { pid, error: cause.message }));
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        // Kills the remaining children of the program and the watchdog. From here on the group id may be reused, so
        // no further signal is sent to it.
        this.#signal('SIGKILL');
        this.#hasEnded = true;
        drained(child, () => resolve({ code: code ?? undefined, signal: signal ?? undefined }));
      });
    });
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  get stderr(): Readable {
    return this.#child.stderr;
  }

  get stderrTail(): string {
    return this.#tail.toString();
  }

  async terminate(graceMs: number): Promise<ChildExit> {
    if (graceMs <= 0) {
      this.#signal('SIGKILL');
      return this.exited;
    }
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), graceMs);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (!this.#hasEnded) killGroup(this.#child, signal);
  }
}

/**
 * Calls back when the child's output has been read to its end. While a descendant holds it open, that is when nothing has
 * arrived for the time limit.
 *
 * A timer runs before pending input is read, so an event loop that was busy longer than the limit would lose all of it: the
 * limit counts only if a turn of the loop after it reads nothing.
 */
function drained(child: PipedChild, callback: () => void): void {
  let isClosed = false;
  let timer = setTimeout(look, drainMs);
  child.once('close', finish);
  function look(): void {
    const before = bytesRead(child);
    setImmediate(() => {
      if (isClosed) return;
      if (bytesRead(child) === before) finish();
      else timer = setTimeout(look, drainMs);
    });
  }
  function finish(): void {
    isClosed = true;
    clearTimeout(timer);
    callback();
  }
}

function bytesRead({ stdout, stderr }: PipedChild): number {
  return [stdout, stderr].reduce((sum, stream) => sum + (stream instanceof Socket ? stream.bytesRead : 0), 0);
}

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (thrown) {
    // The group has already ended (some systems report EPERM).
    const code = errnoOf(thrown);
    if (code !== 'ESRCH' && code !== 'EPERM') throw thrown;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
