/**
 * The numbered events of one editor, kept for pages that reconnect.
 *
 * Invariants: numbers grow by one and are never used again. `since` returns every event after a number, or nothing
 * at all: a page is never given a sequence with a gap.
 */
import { Channel } from '../base/channel.ts';
import type { EditorEvent } from './protocol.ts';

export interface NumberedEvent {
  readonly seq: number;
  readonly event: EditorEvent;
}

/** Enough for a page that was asleep for a while; beyond it a snapshot is cheaper than a replay. */
const keptEvents = 5000;

export class EventLog {
  readonly published = new Channel<NumberedEvent>();
  readonly #kept: NumberedEvent[] = [];
  #seq = 0;

  /** The number of the last event. */
  get seq(): number {
    return this.#seq;
  }

  publish(event: EditorEvent): void {
    this.#seq += 1;
    const numbered = { seq: this.#seq, event };
    this.#kept.push(numbered);
    if (this.#kept.length > keptEvents) this.#kept.splice(0, this.#kept.length - keptEvents);
    this.published.emit(numbered);
  }

  /** The events after `seq`; undefined if some of them are no longer kept, or the number is not one of ours. */
  since(seq: number): readonly NumberedEvent[] | undefined {
    if (seq > this.#seq) return undefined;
    const missed = this.#seq - seq;
    return missed > this.#kept.length ? undefined : this.#kept.slice(this.#kept.length - missed);
  }
}
