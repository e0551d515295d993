/**
 * The diagnostics of the unedited workspace, computed once per state of the disk and shared by every session.
 *
 * Invariant: an answer is kept only while the disk is the one it was computed for, and only with proof.
 */
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { DiskState } from './disk-state.ts';
import { type FileDiagnostics, isProved } from './proof.ts';
import type { SettleOptions } from './settling.ts';

export interface BaselineOptions extends SettleOptions {
  /** Ends the wait for a server, which may still be starting; absent: the caller's own signal. */
  readonly whileLeasing?: AbortSignal;
}

export class BaselineDiagnostics {
  readonly #disk: DiskState;
  readonly #known = new Map<WorkspacePath, FileDiagnostics>();
  #epoch: number;
  #configs: readonly WorkspacePath[] | undefined;

  constructor(disk: DiskState) {
    this.#disk = disk;
    this.#epoch = disk.epoch;
  }

  get(path: WorkspacePath): FileDiagnostics | undefined {
    this.#forgetOldDisk();
    return this.#known.get(path);
  }

  /** The configurations of the projects, whose answers are kept as those of files are; undefined until asked for. */
  get configs(): readonly WorkspacePath[] | undefined {
    this.#forgetOldDisk();
    return this.#configs;
  }

  keepConfigs(answers: readonly FileDiagnostics[], epoch: number): void {
    this.#forgetOldDisk();
    if (epoch === this.#epoch) this.#configs = answers.map(({ path }) => path);
  }

  /** Keeps answers that were computed while the disk was at `epoch`. */
  keep(answers: readonly FileDiagnostics[], epoch: number): void {
    this.#forgetOldDisk();
    if (epoch !== this.#epoch) return;
    for (const answer of answers) {
      if (isProved(answer.proof) || answer.proof.kind === 'quiet') this.#known.set(answer.path, answer);
    }
  }

  #forgetOldDisk(): void {
    if (this.#epoch === this.#disk.epoch) return;
    this.#known.clear();
    this.#configs = undefined;
    this.#epoch = this.#disk.epoch;
  }
}
