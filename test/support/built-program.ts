/** The program as a user runs it: the built bin, in a process of its own. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const bin: string = fileURLToPath(new URL('../../bin/forerun.js', import.meta.url));

export interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What leads to the program, such as a command that makes it another user's. */
  readonly through?: readonly string[];
  /** The words for node that start another program than the bin. */
  readonly program?: readonly string[];
}

/** Without the lines that say what a slow command waits for: how many there are is a matter of the machine. */
export function withoutProgress(run: ProgramRun): ProgramRun {
  return { ...run, stderr: run.stderr.replaceAll(/^forerun: .* …\n/gm, '') };
}

export async function runProgram(words: readonly string[], options: RunOptions = {}): Promise<ProgramRun> {
  const [command = '', ...args] = [
    ...(options.through ?? []),
    process.execPath,
    ...(options.program ?? [bin]),
    ...words,
  ];
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: programEnvironment(options.env),
    stdio: 'pipe',
  });
  child.stdin.end(options.input ?? '');
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}

/** The environment of the tests with `env` over it. What tests call is not recorded, unless a test says so. */
export function programEnvironment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const quiet = { FORERUN_AUDIT_LOG: 'off', FORERUN_CACHE_DIR: 'off', FORERUN_DAEMON: 'off' };
  return { ...process.env, ...quiet, ...env };
}
