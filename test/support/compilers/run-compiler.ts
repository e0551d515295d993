import { runCommand } from '../../../src/process/run-command.ts';

export interface CompilerRun {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** What a compiler printed; a failing exit code is an answer, a signal or a timeout is thrown. */
export async function runCompiler(
  run: CompilerRun,
  signal: AbortSignal,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const limits = { timeoutMs: 900_000, maxOutputBytes: 256 * 2 ** 20 };
  const env = { ...process.env, ...run.env };
  const { command, cwd, input } = run;
  const options = { command, cwd, env, ...limits, ...(input !== undefined && { input }) };
  const { code, stdout, stderr, timedOut } = await runCommand(options, signal);
  if (timedOut || code === undefined)
    throw new Error(`${command.join(' ')} did not end by itself: ${stdout}${stderr}`);
  return { code, stdout, stderr };
}
