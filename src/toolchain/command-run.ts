/**
 * Runs the steps of a build or test run.
 *
 * Invariant: when the promise settles, no started process is running, and the report file is deleted.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isMissing } from '../base/errno.ts';
import { CommandNotFound } from '../process/process-failure.ts';
import { type CommandResult, runCommand } from '../process/run-command.ts';
import type { Command, Output } from './toolchain.ts';

export interface ToolchainRun {
  /** The last command, as a user would type it. */
  readonly command: string;
  readonly succeeded: boolean;
  readonly timedOut: boolean;
  readonly output: Output;
}

export interface RunRequest {
  readonly root: string;
  /** The user's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** The steps, given the file for the test runner's report. */
  readonly steps: (reportFile: string) => Promise<readonly Command[]>;
}

/** The limit of the output that parsers read; more is truncated at its end. */
const maxOutputBytes = 32 * 1024 * 1024;

export async function runSteps(request: RunRequest, signal: AbortSignal): Promise<ToolchainRun> {
  const scratch = await mkdtemp(join(tmpdir(), 'forerun-run-'));
  try {
    const reportFile = join(scratch, 'report');
    return await runAll(request, reportFile, signal);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function runAll(request: RunRequest, reportFile: string, signal: AbortSignal): Promise<ToolchainRun> {
  const startedAt = performance.now();
  const outputs: CommandResult[] = [];
  let shown = '';
  for (const step of await request.steps(reportFile)) {
    const timeoutMs = Math.max(1, request.timeoutMs - (performance.now() - startedAt));
    const { argv, result } = await runFirst(
      step,
      { root: request.root, env: request.env, timeoutMs },
      signal,
    );
    shown = [basename(argv[0] ?? ''), ...argv.slice(1)].join(' ').replaceAll(reportFile, '<report>');
    outputs.push(result);
    if (result.code !== 0) break;
  }
  return {
    command: shown,
    succeeded: outputs.every((result) => result.code === 0),
    timedOut: outputs.some((result) => result.timedOut),
    output: {
      root: request.root,
      stdout: plain(outputs.map((result) => result.stdout)),
      stderr: plain(outputs.map((result) => result.stderr)),
      report: await readReport(reportFile),
    },
  };
}

/** Runs the first alternative whose program exists; the failure names the program as users know it. */
async function runFirst(
  step: Command,
  options: Pick<RunRequest, 'root' | 'env' | 'timeoutMs'>,
  signal: AbortSignal,
): Promise<{ readonly argv: readonly string[]; readonly result: CommandResult }> {
  const { FORCE_COLOR: _, ...inherited } = options.env;
  const env = { ...inherited, NO_COLOR: '1', ...step.env };
  for (const argv of step.alternatives) {
    const run = { command: argv, cwd: options.root, env, timeoutMs: options.timeoutMs, maxOutputBytes };
    try {
      return { argv, result: await runCommand(run, signal) };
    } catch (thrown) {
      if (!(thrown instanceof CommandNotFound)) throw thrown;
    }
  }
  throw new CommandNotFound(basename(step.alternatives[0]?.[0] ?? ''));
}

function plain(parts: readonly string[]): string {
  return stripVTControlCharacters(parts.filter((part) => part !== '').join('\n')).replaceAll('\r\n', '\n');
}

async function readReport(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
