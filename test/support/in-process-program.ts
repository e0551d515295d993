/**
 * The program called in the process of the test: the same words, streams, environment and exit code as `runProgram`, without
 * the half second of processor time that a process takes to load it. What a process alone can show (signals, another user,
 * the built bin) is for `runProgram`.
 *
 * Invariant: one call runs at a time, and each leaves the working directory, the environment and the streams of the process
 * as it found them.
 */
import { Readable, Writable } from 'node:stream';
import { FifoLock } from '../../src/base/fifo-lock.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { type ProgramRun, programEnvironment, type RunOptions } from './built-program.ts';
import { calm } from './world.ts';

export type InProcessOptions = Pick<RunOptions, 'cwd' | 'input' | 'env'>;

const oneAtATime = new FifoLock();

export async function runInProcess(
  words: readonly string[],
  options: InProcessOptions = {},
): Promise<ProgramRun> {
  using _turn = await oneAtATime.acquire(calm);
  const [stdout, stderr] = [new CapturedStream(), new CapturedStream()];
  const stdin = Readable.from(options.input ? [options.input] : []);
  const before = { cwd: process.cwd(), env: { ...process.env } };
  using _streams = replaceStreams({ stdout, stderr, stdin });
  const ending = new AbortController();
  try {
    setEnvironment(programEnvironment(options.env));
    if (options.cwd !== undefined) process.chdir(options.cwd);
    const code = await runCommandLine({ signal: ending.signal, closing: () => {} }, words);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    // What a process would take along when it ends ends here.
    ending.abort();
    setEnvironment(before.env);
    process.chdir(before.cwd);
  }
}

/** What was written to it; no terminal. */
class CapturedStream extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}

function replaceStreams(streams: Readonly<Record<'stdin' | 'stdout' | 'stderr', unknown>>): Disposable {
  const before = Object.keys(streams).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  );
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  return {
    [Symbol.dispose]: () => {
      for (const [name, descriptor] of before)
        if (descriptor) Object.defineProperty(process, name, descriptor);
    },
  };
}

/** One variable after the other: what is asked of the system, such as the home directory, does not see an object in its place. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
}
