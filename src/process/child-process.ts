/**
 * A child process that cannot outlive us.
 *
 * It leads its own process group, and a watchdog in that group holds the reading end of a pipe only we
 * write to. However we end, a SIGKILL included, the kernel closes our end, the watchdog wakes and kills
 * the group. The watchdog is forked before the program is started, so there is no moment without it.
 *
 * Invariant: when `exited` has resolved, nothing of the child's process group runs any more.
 */

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { errnoOf } from '../base/errno.ts';
import type { Log } from '../base/log.ts';
import { findExecutable } from './internal/executable.ts';
import { OutputCapture } from './output-capture.ts';
import { CommandNotFound, SpawnFailed } from './process-failure.ts';

export interface ChildOptions {
  /** The program and its arguments, handed over as they are: no shell reads them. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** The child's whole environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export interface ChildExit {
  /** The exit code, absent when a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
}

export interface ChildHandle {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The last 4 KiB the child wrote to its standard error. */
  readonly stderrTail: string;
  /** Resolves, never rejects, when the child has ended and its group is gone. */
  readonly exited: Promise<ChildExit>;
  /** Asks the group to end and kills what is left of it after `graceMs`; at once when that is zero. */
  terminate(graceMs: number): Promise<ChildExit>;
}

/** Starts a program; throws `CommandNotFound` or `SpawnFailed` where that is impossible. */
export function spawnChild(options: ChildOptions): ChildHandle {
  const [program = '', ...args] = options.command;
  const executable = findExecutable(program, options);
  if (executable === undefined) throw new CommandNotFound(program);
  if (!isDirectory(options.cwd)) {
    throw new SpawnFailed(program, {
      message: `its working directory ${options.cwd} does not exist`,
      remedy: 'Name a directory that exists.',
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
      remedy: 'Look for a limit on processes, memory or open files.',
    });
  }
  return new GuardedChild(child, child.pid, options.log);
}

type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>;

const stderrTailBytes = 4096;

/** How long a dead child's standard error may take to drain when a descendant still holds it open. */
const drainMs = 100;

/**
 * Forks the watchdog and then becomes the program. The watchdog ignores the polite signals, which go to
 * the whole group. `kill -s` is the one spelling every POSIX shell takes with a negative number.
 */
const guardedLaunch =
  `{ trap '' TERM INT HUP; exec <&3 >/dev/null 2>&1; read -r _ || kill -s KILL -- -$$; } & ` +
  'exec 3<&-; exec "$@"';

const shell = '/bin/sh';

function isGuardable(): boolean {
  return process.platform !== 'win32' && existsSync(shell);
}

function spawnGuarded(executable: string, args: readonly string[], options: ChildOptions): PipedChild {
  const child = spawn(shell, ['-c', guardedLaunch, shell, executable, ...args], {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const lifeline = child.stdio[3];
  // The watchdog never writes and its end is an ordinary event, so neither may keep us running or end us.
  lifeline?.on('error', (cause) => options.log.debug('process.lifeline_lost', { error: cause.message }));
  if (lifeline && 'unref' in lifeline && typeof lifeline.unref === 'function') lifeline.unref();
  child.once('exit', () => lifeline?.destroy());
  return child;
}

/** Without a POSIX shell the best there is: the child is killed when we exit in good order. */
function spawnPlain(executable: string, args: readonly string[], options: ChildOptions): PipedChild {
  const child = spawn(executable, args, {
    cwd: options.cwd,
    env: options.env,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const kill = () => killGroup(child, 'SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  return child;
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
        // Children the program left behind go with it, and so does the watchdog. From here on the number
        // of the group may belong to somebody else, so nothing is sent to it again.
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

/** Calls back when the child's output has been read to its end, or when that takes too long. */
function drained(child: ChildProcess, callback: () => void): void {
  const timer = setTimeout(finish, drainMs);
  child.once('close', finish);
  function finish(): void {
    clearTimeout(timer);
    callback();
  }
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
    // The group is gone already (some systems say so with EPERM), which is what was wanted.
    const code = errnoOf(thrown);
    if (code !== 'ESRCH' && code !== 'EPERM') throw thrown;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
