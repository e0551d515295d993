/**
 * Runs what was read as only reading.
 *
 * Invariant: when the promise settles, nothing that was started runs any more.
 */
import { resolve } from 'node:path';
import { Deadline } from '../../base/deadline.ts';
import type { FileSource } from '../../workspace/file-source.ts';
import { isBoundary, type ShellBoundary } from './boundary.ts';
import { BoundedOutput } from './run/bounded-output.ts';
import { type CommandWorld, placeCommand } from './run/command-world.ts';
import { MergedView } from './run/merged-view.ts';
import { type ReadyCommand, runPipeline } from './run/pipeline-run.ts';
import { readyCommand } from './run/ready-command.ts';
import { changedDirectory, type ReadonlyReading } from './shell-reading.ts';
import type { ShellCommand, ShellStep, ShellWord } from './syntax/shell-list.ts';

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

export interface FinishedRun {
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
  const stdout = new BoundedOutput(maxOutputBytes, () => full.abort());
  const stderr = new BoundedOutput(maxOutputBytes, () => full.abort());
  const stop = AbortSignal.any([deadline.signal, full.signal]);
  const run = new ListRun(options, { stdout, stderr });
  const refused = await run.steps(reading.steps, stop).catch((thrown: unknown) => {
    // Our own limits end a run in the middle; what else is thrown is for the caller.
    if (signal.aborted || !stop.aborted) throw thrown;
    return undefined;
  });
  signal.throwIfAborted();
  if (refused) return refused;
  const ended = stdout.isFull || stderr.isFull ? 'output-limit' : deadline.expired ? 'timeout' : 'itself';
  const code = ended === 'itself' ? run.code : undefined;
  return { kind: 'ran', code, stdout: stdout.toString(), stderr: stderr.toString(), ended };
}

const defaultTimeoutMs = 10_000;

/** How much of each stream is kept. */
const maxOutputBytes = 256 * 1024;

interface Outputs {
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

/** One run of a list: where it stands, and how the last step ended. */
class ListRun {
  readonly #world: CommandWorld;
  readonly #outputs: Outputs;
  #cwd: string;
  #code: number | undefined = 0;

  constructor({ source, root, cwd, env, wrapCommand }: ReadonlyRunOptions, outputs: Outputs) {
    this.#world = { view: new MergedView(source, root), root, env, wrapCommand };
    this.#outputs = outputs;
    this.#cwd = cwd;
  }

  get code(): number | undefined {
    return this.#code;
  }

  async steps(steps: readonly ShellStep[], signal: AbortSignal): Promise<ShellBoundary | undefined> {
    for (const [index, step] of steps.entries()) {
      if (step.when === 'success' && this.#code !== 0) continue;
      if (step.when === 'failure' && this.#code === 0) continue;
      const target = index === 0 ? changedDirectory(step) : undefined;
      const refused = target ? await this.#enter(target) : await this.#pipeline(step.pipeline, signal);
      if (refused) return refused;
    }
    return undefined;
  }

  async #enter({ text }: ShellWord): Promise<undefined> {
    const directory = resolve(this.#cwd, text);
    const isThere = await this.#world.view.isDirectory(directory);
    if (isThere) this.#cwd = directory;
    else this.#outputs.stderr.append(Buffer.from(`cd: ${text}: No such directory\n`));
    this.#code = isThere ? 0 : 1;
  }

  async #pipeline(
    commands: readonly ShellCommand[],
    signal: AbortSignal,
  ): Promise<ShellBoundary | undefined> {
    const ready: ReadyCommand[] = [];
    for (const command of commands) {
      const made = await readyCommand(command, { world: this.#world, cwd: this.#cwd }, signal);
      if (isBoundary(made)) return made;
      ready.push(made);
    }
    const place = (command: readonly string[]) => placeCommand(this.#world, command, this.#cwd);
    this.#code = await runPipeline({ commands: ready, place, ...this.#outputs }, signal);
    signal.throwIfAborted();
    return undefined;
  }
}
