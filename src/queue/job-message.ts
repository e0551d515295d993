/**
 * Messages of workers about jobs, which every caller of a queue receives.
 *
 * Invariant: no message about a job is lost between two looks of the caller that waits for it. A message alone proves
 * nothing: progress is sealed, and an answer is read from where it is stored.
 */
import { onAbort } from '../base/deadline.ts';

export interface JobMessage {
  readonly kind: 'progress' | 'answered';
  readonly id: string;
  /** Sealed progress; empty for an answer. */
  readonly text: string;
}

export function messageText({ kind, id, text }: JobMessage): string {
  return `${kind} ${id} ${text}`;
}

export function parseMessage(message: string): JobMessage | undefined {
  const [kind, id = '', ...rest] = message.split(' ');
  return kind === 'progress' || kind === 'answered' ? { kind, id, text: rest.join(' ') } : undefined;
}

/** Who waits, by the id of a job. */
export type MessageListeners = Map<string, Set<(message: JobMessage) => void>>;

/** The messages about one job, in order; none is lost between two looks. */
export class MessageInbox implements Disposable {
  readonly #listeners: MessageListeners;
  readonly #id: string;
  readonly #arrived: JobMessage[] = [];
  readonly #leave: () => void;
  #tell: (() => void) | undefined;

  constructor(listeners: MessageListeners, id: string, signal: AbortSignal) {
    this.#listeners = listeners;
    this.#id = id;
    const own = listeners.get(id) ?? new Set();
    listeners.set(id, own.add(this.#receive));
    this.#leave = onAbort(signal, () => this.#tell?.());
  }

  readonly #receive = (message: JobMessage): void => {
    this.#arrived.push(message);
    this.#tell?.();
  };

  /** The next message; undefined after the time, or if the signal aborts. */
  async next(withinMs: number): Promise<JobMessage | undefined> {
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
