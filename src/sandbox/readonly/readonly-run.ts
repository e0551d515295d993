/**
 * Runs commands that were classified as read-only.
 *
 * Invariant: when the promise settles, no started process is running.
 */
import { Deadline } from '../../base/deadline.ts';
import { OutputCapture } from '../../process/output-capture.ts';
import type { ShellBoundary } from '../../shell/boundary.ts';
import type { ReadonlyReading } from '../../shell/shell-reading.ts';
import type { FileSource } from '../../workspace/file-source.ts';
import { MergedView } from './merged-view.ts';
import { ScriptRun } from './script-run.ts';

export interface ReadonlyRunOptions {
  /** The files as the commands see them. Without a mount, this must equal the disk. */
  readonly source: FileSource;
  /** The workspace root, as the commands see it. */
  readonly root: string;
  /** The directory of the first command, as the commands see it. */
  readonly cwd: string;
  /** The source of the few variables that commands get. */
  readonly env: NodeJS.ProcessEnv;
  /** Time limit for the whole run; absent: ten seconds. */
  readonly timeoutMs?: number;
  /** Wraps a command so that it runs in a mount of the workspace; absent if the disk itself is read. */
  readonly wrapCommand?: (command: readonly string[], cwd: string) => readonly string[];
}

export type ReadonlyRun = FinishedRun | ShellBoundary;

interface FinishedRun {
  readonly kind: 'ran';
  /** The exit code of the last command; undefined if it was stopped. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The cause of the end: the command itself, the time limit, or the output limit, which truncates the output. */
  readonly ended: 'itself' | 'timeout' | 'output-limit';
}

/** The output of the commands, or a boundary that became known only at run time. */
export async function runReadonlyCommand(
  reading: ReadonlyReading,
  options: ReadonlyRunOptions,
  signal: AbortSignal,
): Promise<ReadonlyRun> {
  signal.throwIfAborted();
  using deadline = new Deadline(options.timeoutMs ?? defaultTimeoutMs, signal);
  const full = new AbortController();
  const stdout = new OutputCapture({ maxBytes: maxOutputBytes, keep: 'start', onFull: () => full.abort() });
  const stderr = new OutputCapture({ maxBytes: maxOutputBytes, keep: 'start', onFull: () => full.abort() });
  const stop = AbortSignal.any([deadline.signal, full.signal]);
  const { source, root, cwd, env, wrapCommand } = options;
  const world = { view: new MergedView(source, root), root, env, wrapCommand };
  const run = new ScriptRun({ world, signal: stop, onFull: () => full.abort() }, cwd);
  const refused = await run
    .script(reading.steps, { input: undefined, stdout, stderr })
    .catch((thrown: unknown) => {
      // Our own limits end a run early; other errors are for the caller.
      if (signal.aborted || !stop.aborted) throw thrown;
      return undefined;
    });
  signal.throwIfAborted();
  if (refused) return refused;
  const ended = full.signal.aborted ? 'output-limit' : deadline.expired ? 'timeout' : 'itself';
  const code = ended === 'itself' ? run.code : undefined;
  return { kind: 'ran', code, stdout: stdout.toString(), stderr: stderr.toString(), ended };
}

const defaultTimeoutMs = 10_000;

/** The part of each stream that is kept. */
const maxOutputBytes = 256 * 1024;
