/**
 * Whether a server is busy, according to its own reports: work-done progress and, for servers that announce it,
 * quiescence.
 *
 * Invariant: a server that promised to report quiescence is busy until it has done so.
 */
import { Channel } from '../base/channel.ts';
import { Deadline } from '../base/deadline.ts';
import { isRecord } from '../base/record.ts';
import { waitFor } from './internal/wait.ts';

export interface WorkInProgress {
  readonly token: string | number;
  readonly title: string;
  readonly message?: string;
  readonly percentage?: number;
}

export interface ProgressRules {
  readonly quiescence: 'announced' | 'unannounced';
  /** Whether work reported without a title counts as busy, or runs beside the server's answers. */
  readonly untitledWork: 'counts' | 'passes';
}

export class Progress {
  /** Emits when work began, continued or ended. */
  readonly changed = new Channel<void>();
  readonly #active = new Map<string | number, WorkInProgress>();
  readonly #life: AbortSignal;
  readonly #rules: ProgressRules;
  #isQuiescent: boolean;
  #hasBegun = false;

  /** Waiting ends with the reason of `life` when the server exits. */
  constructor(rules: ProgressRules, life: AbortSignal) {
    this.#rules = rules;
    this.#isQuiescent = rules.quiescence === 'unannounced';
    this.#life = life;
  }

  get isBusy(): boolean {
    return this.#active.size > 0 || !this.#isQuiescent;
  }

  /** Whether the server reports that it is quiescent; undefined if it does not report that. */
  get isQuiescent(): boolean | undefined {
    return this.#rules.quiescence === 'announced' ? this.#isQuiescent : undefined;
  }

  /** Whether any work has ever been reported, which distinguishes an idle server from one that has not begun. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get active(): readonly WorkInProgress[] {
    return [...this.#active.values()];
  }

  /** Resolves when no work is in progress; at once if that is so already. */
  async whenIdle(signal: AbortSignal): Promise<void> {
    await waitFor(this.changed, () => (this.isBusy ? undefined : true), [signal, this.#life]);
  }

  /** As `whenIdle`, with a limit; returns whether the server became idle. */
  async isIdleWithin(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    using deadline = new Deadline(timeoutMs, signal);
    try {
      await this.whenIdle(deadline.signal);
      return true;
    } catch (thrown) {
      if (!deadline.expired || this.#life.aborted) throw thrown;
      return false;
    }
  }

  /** Processes the parameters of `$/progress`; other than work-done progress is ignored. */
  report(params: unknown): void {
    if (!isRecord(params) || !isRecord(params.value)) return;
    const { token, value } = params;
    if (typeof token !== 'string' && typeof token !== 'number') return;
    if (value.kind === 'begin') {
      const title = textOf(value.title) ?? '';
      if (title === '' && this.#rules.untitledWork === 'passes') return;
      this.#hasBegun = true;
      this.#active.set(token, { token, title, ...detailOf(value) });
    } else if (value.kind === 'report') {
      const known = this.#active.get(token);
      if (!known) return;
      this.#active.set(token, { ...known, ...detailOf(value) });
    } else if (value.kind === 'end') {
      this.#active.delete(token);
    } else return;
    this.changed.emit();
  }

  /** Processes the parameters of rust-analyzer's `experimental/serverStatus`. */
  reportStatus(params: unknown): void {
    if (!isRecord(params) || typeof params.quiescent !== 'boolean') return;
    this.#hasBegun = true;
    this.#isQuiescent = params.quiescent;
    this.changed.emit();
  }
}

function detailOf(value: Readonly<Record<string, unknown>>): Pick<WorkInProgress, 'message' | 'percentage'> {
  const message = textOf(value.message);
  return {
    ...(message !== undefined && { message }),
    ...(typeof value.percentage === 'number' && { percentage: value.percentage }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
