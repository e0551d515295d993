/**
 * Diagnostics of the unedited workspace, for each server, projection mode and extent of the check.
 *
 * Invariants: they are measured once for each state of the disk and shared by all sessions; an answer is kept only while
 * the disk is in the state it was computed for, and only with proof. A plan with an effect is measured for its caller
 * alone and not stored.
 */
import { noEffect } from '../servers/projection.ts';
import { type FileDiagnostics, isProved } from '../servers/proof.ts';
import type { BegunDiagnostics, SettleOptions } from '../servers/settling.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { ProjectionPlan } from './projection-plan.ts';
import type { ServerLender } from './server-lender.ts';

export class BaselineStore {
  readonly #disk: DiskState;
  readonly #servers: ServerLender;
  readonly #baselines = new Map<string, BaselineDiagnostics>();

  constructor(disk: DiskState, servers: ServerLender) {
    this.#disk = disk;
    this.#servers = servers;
    servers.channels.restarted.subscribe(() => this.#baselines.clear());
  }

  /** The diagnostics of `paths` on the disk as of the plan. */
  async diagnostics(
    plan: ProjectionPlan,
    paths: readonly WorkspacePath[],
    options: BaselineOptions,
    signal: AbortSignal,
  ): Promise<readonly FileDiagnostics[]> {
    const { answers } = await this.begin(plan, paths, options, signal);
    return answers;
  }

  /** As `diagnostics`; a server that goes on with them while it shows an overlay is free again when this returns. */
  async begin(
    plan: ProjectionPlan,
    paths: readonly WorkspacePath[],
    options: BaselineOptions,
    signal: AbortSignal,
  ): Promise<BegunBaseline> {
    const { located, mode } = plan;
    const { whileLeasing = signal } = options;
    if (plan.effect.size > 0) {
      await using lease = await this.#servers.lease(plan, whileLeasing);
      return { answers: Promise.resolve(await lease.diagnostics(paths, options, signal)) };
    }
    return this.#of(plan, options).begin(paths, options, async (use) => {
      const { diskDiagnostics } = this.#servers.channels;
      const disk = { located, effect: noEffect, mode };
      await using lease = await this.#servers.leasePublished(disk, diskDiagnostics, whileLeasing);
      await use((asked, wanted) => lease.beginDiagnostics(asked, wanted, signal), lease.shownDisk);
    });
  }

  /** Whether the diagnostics of `paths` are known for the current disk, so that no server is asked for them. */
  isKnown(plan: ProjectionPlan, paths: Iterable<WorkspacePath>): boolean {
    const baseline = this.#of(plan, {});
    return [...paths].every((path) => baseline.get(path) !== undefined);
  }

  #of(
    { located, mode }: ProjectionPlan,
    { headerBodies = 'skipped' }: Pick<BaselineOptions, 'headerBodies'>,
  ): BaselineDiagnostics {
    // Answers with and without the bodies of headers cannot be compared with one another.
    const key = `${located.definition.name}/${mode}/${headerBodies}`;
    const known = this.#baselines.get(key);
    if (known) return known;
    const baseline = new BaselineDiagnostics(this.#disk);
    this.#baselines.set(key, baseline);
    return baseline;
  }
}

export interface BaselineOptions extends SettleOptions {
  /** Ends the wait for a server, which may still be starting; absent: the caller's own signal. */
  readonly whileLeasing?: AbortSignal;
}

/** A baseline that was requested. An object, since a promise of a promise would be awaited as one. */
export interface BegunBaseline {
  readonly answers: Promise<readonly FileDiagnostics[]>;
}

type Ask = (paths: readonly WorkspacePath[], options: SettleOptions) => Promise<BegunDiagnostics>;

/** Leases a server that shows the disk as of `epoch`, for as long as `use` runs; undefined if it shows something else. */
type Measure = (use: (ask: Ask, epoch: number | undefined) => Promise<void>) => Promise<void>;

export class BaselineDiagnostics {
  readonly #disk: Pick<DiskState, 'epoch'>;
  readonly #known = new Map<WorkspacePath, FileDiagnostics>();
  /** Requested by callers that have released the server already. */
  readonly #arriving = new Set<Promise<void>>();
  #epoch: number;
  /**
   * The configuration files of the projects, whose answers are cached like those of other files; undefined until
   * requested.
   */
  #configs: readonly WorkspacePath[] | undefined;

  constructor(disk: Pick<DiskState, 'epoch'>) {
    this.#disk = disk;
    this.#epoch = disk.epoch;
  }

  get(path: WorkspacePath): FileDiagnostics | undefined {
    this.#forgetOldDisk();
    return this.#known.get(path);
  }

  /** The cached diagnostics of `paths`, and those of `measure` for the others. */
  async begin(
    paths: readonly WorkspacePath[],
    options: SettleOptions,
    measure: Measure,
  ): Promise<BegunBaseline> {
    const lacksConfigs = (): boolean => {
      this.#forgetOldDisk();
      return options.withConfigs === true && this.#configs === undefined;
    };
    const missing = () => paths.filter((path) => !isKnown(this.get(path), options));
    const measured = new Map<WorkspacePath, FileDiagnostics>();
    let arrival: Promise<unknown> = Promise.resolve();
    if (lacksConfigs() || missing().length > 0) {
      await measure(async (ask, epoch) => {
        // Check again: another caller may have measured while this one waited for the server, or may still be measuring.
        await Promise.allSettled(this.#arriving);
        const asked = missing();
        const withConfigs = lacksConfigs();
        const { answers, areKept } = await ask(asked, { ...options, withConfigs });
        arrival = this.#whileArriving(
          answers.then((arrived) => {
            for (const answer of arrived) measured.set(answer.path, answer);
            this.#keep(arrived, epoch);
            // Diagnostics of configuration files follow the requested ones.
            if (withConfigs && epoch === this.#epoch)
              this.#configs = arrived.slice(asked.length).map(({ path }) => path);
          }),
        );
        if (!areKept) await arrival;
      });
    }
    const found = (): readonly FileDiagnostics[] => {
      const configs = options.withConfigs ? [...(this.#configs ?? []), ...measured.keys()] : [];
      return [...new Set([...paths, ...configs])].flatMap(
        (path) => this.get(path) ?? measured.get(path) ?? [],
      );
    };
    const answers = arrival.then(found);
    // A caller that fails before it awaits them has no use for their failure.
    answers.catch(() => undefined);
    return { answers };
  }

  #whileArriving(arrival: Promise<void>): Promise<void> {
    this.#arriving.add(arrival);
    const forget = (): void => {
      this.#arriving.delete(arrival);
    };
    // The failure is the caller's, who awaits `arrival`.
    arrival.then(forget, forget);
    return arrival;
  }

  /** Keeps answers that were computed while the disk was at `epoch`. */
  #keep(answers: readonly FileDiagnostics[], epoch: number | undefined): void {
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

/**
 * An answer that was skipped does not count for a caller that asks about every file, nor one without hints for a
 * caller that wants them.
 */
function isKnown(answer: FileDiagnostics | undefined, { heldOnly, hintsFor }: SettleOptions): boolean {
  if (answer === undefined || (answer.lacksHints && hintsFor?.has(answer.path) !== false)) return false;
  return heldOnly === true || !answer.isUnasked;
}
