/**
 * Diagnostics of the unedited workspace, for each server and projection mode.
 *
 * Invariant: they are measured once for each state of the disk and shared by all sessions; a plan with an effect is
 * measured for its caller alone and not stored.
 */
import { noEffect } from '../servers/overlay-effect.ts';
import type { FileDiagnostics } from '../servers/proof.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { BaselineDiagnostics, type BaselineOptions } from './baseline-diagnostics.ts';
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
    const { located, mode } = plan;
    const { whileLeasing = signal } = options;
    if (plan.effect.size > 0) {
      await using lease = await this.#servers.lease(plan, whileLeasing);
      return await lease.diagnostics(paths, options, signal);
    }
    return this.#of(plan).of(paths, options, async (use) => {
      const { diskDiagnostics } = this.#servers.channels;
      const disk = { located, effect: noEffect, mode };
      await using lease = await this.#servers.leasePublished(disk, diskDiagnostics, whileLeasing);
      await use((asked, wanted) => lease.diagnostics(asked, wanted, signal), this.#disk.epoch);
    });
  }

  #of({ located, mode }: ProjectionPlan): BaselineDiagnostics {
    const key = `${located.definition.name}/${mode}`;
    const known = this.#baselines.get(key);
    if (known) return known;
    const baseline = new BaselineDiagnostics(this.#disk);
    this.#baselines.set(key, baseline);
    return baseline;
  }
}
