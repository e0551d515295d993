/**
 * Starts a broker as a detached process.
 *
 * Invariant: when the promise settles, the process either runs on its own or has exited; nothing ties it to this
 * process.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import type { Readable } from 'node:stream';
import { onAbort } from '../base/deadline.ts';
import { Failure } from '../base/failure.ts';
import type { BrokerLaunchSpec } from './broker-launch-spec.ts';

/** The result of a start: the broker listens, or another one has the claim already. */
export type BrokerAnswer = 'listening' | 'taken';

/** Where the answer is written: the first descriptor after the standard ones. */
export const answerDescriptor = 3;

export interface SpawnOptions {
  /** The program and its arguments; it reads the launch specification. */
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Receives the output of the process. */
  readonly log: string;
}

export async function spawnBroker(
  order: BrokerLaunchSpec,
  options: SpawnOptions,
  signal: AbortSignal,
): Promise<BrokerAnswer> {
  signal.throwIfAborted();
  const child = launch(options);
  const answer = child.stdio[answerDescriptor];
  try {
    child.stdin?.on('error', () => undefined).end(JSON.stringify(order));
    return await answered(child, answer, options, signal);
  } catch (thrown) {
    child.kill('SIGKILL');
    throw thrown;
  } finally {
    answer?.destroy();
    child.stdin?.destroy();
    child.unref();
  }
}

/** A log larger than this is rotated when the next broker starts. */
const maxLogBytes = 1024 * 1024;

function launch({ command, env, log }: SpawnOptions): ChildProcess {
  const [program = '', ...args] = command;
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) renameSync(log, `${log}.1`);
  const output = openSync(log, 'a', 0o600);
  try {
    return spawn(program, args, {
      // Not in the workspace, which may be removed while it runs.
      cwd: parse(process.execPath).root,
      env,
      detached: true,
      windowsHide: true,
      stdio: ['pipe', output, output, 'pipe'],
    });
  } finally {
    closeSync(output);
  }
}

function answered(
  child: ChildProcess,
  answer: unknown,
  { log }: SpawnOptions,
  signal: AbortSignal,
): Promise<BrokerAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      forget();
      end();
    };
    const forget = onAbort(signal, () => settle(() => reject(signal.reason)));
    child.once('error', (cause) => settle(() => reject(new BrokerNotStarted(cause.message, log, { cause }))));
    child.once('exit', (code) =>
      settle(() => reject(new BrokerNotStarted(`it ended with code ${code}`, log))),
    );
    let text = '';
    if (!isReadable(answer)) return;
    answer
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const [line, rest] = text.split('\n');
        if (rest === undefined) return;
        if (line === 'listening' || line === 'taken') settle(() => resolve(line));
      });
  });
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'on' in stream;
}

export class BrokerNotStarted extends Failure {
  readonly code = 'broker/not-started';
  readonly remedy: string;

  constructor(why: string, log: string, options?: ErrorOptions) {
    const tail = lastLines(log);
    super(`daemon: broker did not start: ${why}${tail === '' ? '' : `\n${tail}`}`, options);
    this.remedy = `A server of this process's own is used instead. ${log} has the broker's output.`;
  }
}

export class BrokerTooSlow extends Failure {
  readonly code = 'broker/too-slow';
  readonly remedy =
    "A server of this process's own is used instead. Allow more time with AGENT_LSP_BROKER_TIMEOUT_MS, or look at `forerun daemon logs`.";

  constructor(timeoutMs: number) {
    super(
      `daemon: broker did not start within ${timeoutMs % 1000 === 0 ? `${timeoutMs / 1000}s` : `${timeoutMs}ms`}`,
    );
  }
}

function lastLines(log: string): string {
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
  } catch {
    return '';
  }
}
