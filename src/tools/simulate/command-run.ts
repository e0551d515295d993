/**
 * One command run in a session's sandbox, in tool answers.
 *
 * Invariant: the tier is always named, and a command that was not run is never reported as passed.
 */
import { type CommandOutcome, type FinishedCommand, hasPassed } from '../../sandbox/command-outcome.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { CommandRecord } from '../../session/session-details.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ToolConnection } from '../tool-context.ts';
import { lastOf } from './last-of.ts';
import { readResults, testsRunBy } from './recognised-command.ts';

export interface SessionCommand {
  readonly command: string;
  readonly timeoutMs: number;
  /** Maximum output in the answer. */
  readonly outputBytes: number;
}

export interface CommandAnswer {
  readonly outcome: CommandOutcome;
  /** Absent if the command is not a known test command, or its output does not show the number. */
  readonly testsRun?: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export async function runInSandbox(
  { sandbox, workspace, connection }: CommandPlace,
  request: SessionCommand,
  signal: AbortSignal,
): Promise<CommandAnswer> {
  const { command, timeoutMs, outputBytes } = request;
  connection.progress(`running ${command}`);
  const onOutput = tellProgress(connection);
  const outcome = await sandbox.run(command, { timeoutMs, maxOutputBytes: readBytes, onOutput }, signal);
  const { tier, because } = sandbox;
  const reported = { command, tier, ...(because !== '' && { tier_because: because }) };
  if (outcome.kind === 'boundary') {
    const { rule, why } = outcome;
    return { outcome, payload: { ...reported, ran: false, passed: false, boundary: { rule, why } } };
  }
  const said = inWorkspace(outcome, { sandbox, workspace });
  const output = { root: workspace.root, ...said, report: undefined };
  // Truncated output may contain only some of the counts.
  const testsRun = outcome.truncated ? undefined : await testsRunBy(workspace, { command, output });
  const results = hasPassed(outcome) ? {} : await readResults(workspace, { command, output }, signal);
  const counted = testsRun === undefined ? {} : { tests_run: testsRun };
  const payload = {
    ...reported,
    ran: true,
    ...endOf(outcome, timeoutMs),
    // A test command that ran no test proves nothing, whatever its exit code.
    ...(testsRun === 0 && { passed: false }),
    ...counted,
    ...results,
    ...outputPayload(said, outcome, outputBytes),
  };
  return { outcome, payload, ...(testsRun !== undefined && { testsRun }) };
}

/** The run as it is remembered with the session. */
export function commandRecordOf(command: string, { outcome, testsRun }: CommandAnswer): CommandRecord {
  const at = Date.now();
  if (outcome.kind === 'boundary') return { command, ran: false, passed: false, at };
  return {
    command,
    ran: true,
    passed: hasPassed(outcome) && testsRun !== 0,
    ...(outcome.code !== undefined && { exitCode: outcome.code }),
    ...(outcome.timedOut && { timedOut: true }),
    ...(testsRun !== undefined && { testsRun }),
    durationMs: Math.round(outcome.durationMs),
    at,
  };
}

export interface CommandPlace {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly connection: ToolConnection;
}

/** The output kept for parsing results; the answer contains less. */
const readBytes = 4 * 1024 * 1024;

/** Progress of a running command is reported at most this often. */
const progressEveryMs = 1000;

function tellProgress(connection: ToolConnection): (text: string) => void {
  let reportedAt = performance.now();
  return (text) => {
    const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
    if (line === '' || performance.now() - reportedAt < progressEveryMs) return;
    reportedAt = performance.now();
    connection.progress(line.slice(0, 200));
  };
}

function endOf(outcome: FinishedCommand, timeoutMs: number): Readonly<Record<string, unknown>> {
  return {
    passed: hasPassed(outcome),
    ...(outcome.code !== undefined && { exit_code: outcome.code }),
    ...(outcome.timedOut && { timed_out: true, timeout_ms: timeoutMs }),
    ...(outcome.diskFull && { disk_full: true }),
    duration_ms: Math.round(outcome.durationMs),
  };
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** Replaces paths of the copy with paths of the workspace. */
function inWorkspace(
  { stdout, stderr }: FinishedCommand,
  { sandbox, workspace }: Pick<CommandPlace, 'sandbox' | 'workspace'>,
): Said {
  if (sandbox.root === workspace.root) return { stdout, stderr };
  const reported = (text: string): string => text.replaceAll(sandbox.root, workspace.root);
  return { stdout: reported(stdout), stderr: reported(stderr) };
}

/** Standard error is included first, since it usually holds the cause of a failure. */
function outputPayload(
  said: Said,
  outcome: FinishedCommand,
  bytes: number,
): Readonly<Record<string, unknown>> {
  const stderr = lastOf(said.stderr, Math.max(bytes / 2, bytes - Buffer.byteLength(said.stdout)));
  const stdout = lastOf(said.stdout, bytes - Buffer.byteLength(stderr.text));
  const isTruncated = outcome.truncated || stdout.isCut || stderr.isCut;
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    ...(isTruncated && { output_truncated: true }),
  };
}
