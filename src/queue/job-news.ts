/**
 * Messages of workers about jobs, which every caller of a queue receives.
 *
 * Invariant: no message about a job is lost between two looks of the caller that waits for it. A message alone proves
 * nothing: progress is sealed, and an answer is read from where it is stored.
 */
import { onAbort } from '../base/deadline.ts';

export interface JobNews {
  readonly kind: 'progress' | 'answered';
  readonly id: string;
  /** Sealed progress; empty for an answer. */
  readonly text: string;
}

export function newsText({ kind, id, text }: JobNews): string {
  return `${kind} ${id} ${text}`;
}

export function parseNews(message: string): JobNews | undefined {
  const [kind, id = '', ...rest] = message.split(' ');
  return kind === 'progress' || kind === 'answered' ? { kind, id, text: rest.join(' ') } : undefined;
}

/** Who waits, by the id of a job. */
export type NewsListeners = Map<string, Set<(news: JobNews) => void>>;

/** The messages about one job, in order; none is lost between two looks. */
export class NewsInbox implements Disposable {
  readonly #listeners: NewsListeners;
  readonly #id: string;
  readonly #arrived: JobNews[] = [];
  readonly #leave: () => void;
  #tell: (() => void) | undefined;

  constructor(listeners: NewsListeners, id: string, signal: AbortSignal) {
    this.#listeners = listeners;
    this.#id = id;
    const own = listeners.get(id) ?? new Set();
    listeners.set(id, own.add(this.#receive));
    this.#leave = onAbort(signal, () => this.#tell?.());
  }

  readonly #receive = (news: JobNews): void => {
    this.#arrived.push(news);
    this.#tell?.();
  };

  /** The next message; undefined after the time, or if the signal aborts. */
  async next(withinMs: number): Promise<JobNews | undefined> {
    if (this.#arrived.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#tell = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#tell = undefined;
    }
    return this.#arrived.shift();
  }

  [Symbol.dispose](): void {
    this.#leave();
    const own = this.#listeners.get(this.#id);
    own?.delete(this.#receive);
    if (own?.size === 0) this.#listeners.delete(this.#id);
  }
}
