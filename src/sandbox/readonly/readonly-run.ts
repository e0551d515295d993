/**
 * Runs what was read as only reading.
 *
 * Invariant: when the promise settles, nothing that was started runs any more.
 */
import { Deadline } from '../../base/deadline.ts';
import { OutputCapture } from '../../process/output-capture.ts';
import type { ShellBoundary } from '../../shell/boundary.ts';
import type { ReadonlyReading } from '../../shell/shell-reading.ts';
import type { FileSource } from '../../workspace/file-source.ts';
import { MergedView } from './merged-view.ts';
import { ScriptRun } from './script-run.ts';

export interface ReadonlyRunOptions {
  /** The files as the commands see them. Without a mount that must be what the disk shows. */
  readonly source: FileSource;
  /** The workspace's root, as the commands see it. */
  readonly root: string;
  /** Where the first command starts, as the commands see it. */
  readonly cwd: string;
  /** What the few variables that commands get are picked from. */
  readonly env: NodeJS.ProcessEnv;
  /** How long the whole may take; ten seconds when absent. */
  readonly timeoutMs?: number;
  /** Leads a command into a mount of the workspace; absent when the disk itself is read. */
  readonly wrapCommand?: (command: readonly string[], cwd: string) => readonly string[];
}

export type ReadonlyRun = FinishedRun | ShellBoundary;

interface FinishedRun {
  readonly kind: 'ran';
  /** The exit code of the last command; undefined when it was stopped. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** What ended it: itself, the clock, or an output longer than is kept, which is then cut off. */
  readonly ended: 'itself' | 'timeout' | 'output-limit';
}

/** What the commands printed, or the boundary that only the moment of running could show. */
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
      // Our own limits end a run in the middle; what else is thrown is for the caller.
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

/** How much of each stream is kept. */
const maxOutputBytes = 256 * 1024;
