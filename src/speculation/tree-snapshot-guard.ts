/**
 * Takes a snapshot of the files before the first call that may read any of them: commands and language servers do not
 * report their reads.
 *
 * Invariant: it allows every call, and none of those before the snapshot exists.
 */
import type { Guard, GuardDecision } from '../tools/guard.ts';
import type { GuardedCall } from '../tools/guarded-call.ts';

export interface OverviewOptions {
  /** The tools that use language servers. */
  readonly codeTools: ReadonlySet<string>;
  /** Takes a snapshot of every workspace. */
  readonly remember: () => Promise<void>;
}

export class TreeSnapshotGuard implements Guard {
  readonly #options: OverviewOptions;
  #remembered: Promise<void> | undefined;

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  async decide({ effect, tool }: GuardedCall): Promise<GuardDecision> {
    const { codeTools, remember } = this.#options;
    if (effect === 'process' || codeTools.has(tool)) {
      this.#remembered ??= remember();
      await this.#remembered;
    }
    return { kind: 'allow' };
  }
}
