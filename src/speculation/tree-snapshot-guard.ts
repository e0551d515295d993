/**
 * Has the files of a speculation remembered before the first call that may look at any of them: a command reads what
 * it likes, a language server whatever the code leads it to, and neither says what that was.
 *
 * Invariant: it lets every call pass, and none of those before there is something to compare with.
 */
import type { Guard, GuardDecision } from '../tools/guard.ts';
import type { GuardedCall } from '../tools/guarded-call.ts';

export interface OverviewOptions {
  /** The tools that ask language servers. */
  readonly codeTools: ReadonlySet<string>;
  /** Remembers every workspace as it is now. */
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
