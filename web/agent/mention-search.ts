/**
 * The mention that is being written in the prompt, and the files and symbols that fit it.
 *
 * Invariants: keys act on the list only while a mention is being written. What is taken fits what was typed: Enter on the list
 * of an earlier text takes the first that fits this one.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { AgentMention } from '../../src/editor/protocol/agent.ts';
import type { Page } from '../shell/page.ts';

/** The text after `@`, and where the `@` stands. */
export interface BegunMention {
  readonly query: string;
  readonly from: number;
}

type Choose = (mention: AgentMention, begun: BegunMention) => void;

const none = { query: '', mentions: [] };

export class MentionSearch {
  readonly #page: Page;
  readonly #choose: Choose;
  readonly #begun = signal<BegunMention | undefined>(undefined);
  readonly #found = signal<{ readonly query: string; readonly mentions: readonly AgentMention[] }>(none);
  readonly #at = signal(0);
  #question = new AbortController();
  #isTaken = false;

  constructor(page: Page, choose: Choose) {
    this.#page = page;
    this.#choose = choose;
  }

  /** What is listed; it may fit an earlier text until the answer comes. */
  readonly mentions: ReadonlySignal<readonly AgentMention[]> = computed(() =>
    this.#begun.value === undefined ? [] : this.#found.value.mentions,
  );

  /** The place in the list. */
  get at(): ReadonlySignal<number> {
    return this.#at;
  }

  /** The text of the prompt, or the caret in it, is another one. */
  follow(text: string, caret: number): void {
    const begun = mentionAt(text, caret);
    const before = this.#begun.peek();
    this.#begun.value = begun;
    if (begun === undefined) this.close();
    else if (begun.query !== before?.query) this.#ask(begun.query);
  }

  take(mention: AgentMention): void {
    const begun = this.#begun.peek();
    this.close();
    if (begun !== undefined) this.#choose(mention, begun);
  }

  close(): void {
    this.#question.abort();
    this.#begun.value = undefined;
    this.#found.value = none;
  }

  /** What a key means to the list; undefined: nothing. */
  actionOf(key: string): (() => void) | undefined {
    if (this.#begun.peek() === undefined) return undefined;
    if (key === 'Escape') return () => this.close();
    const mentions = this.mentions.peek();
    const current = mentions[this.#at.peek()];
    if (current === undefined) return undefined;
    const step = (by: number) => (): void => {
      this.#at.value = (this.#at.peek() + by + mentions.length) % mentions.length;
    };
    const take = (): void => this.#takeFitting(current);
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: step(1),
      ArrowUp: step(-1),
      Enter: take,
      Tab: take,
    };
    return actions[key];
  }

  #takeFitting(current: AgentMention): void {
    if (this.#found.peek().query === this.#begun.peek()?.query) this.take(current);
    else this.#isTaken = true;
  }

  #ask(query: string): void {
    this.#question.abort();
    this.#question = new AbortController();
    this.#isTaken = false;
    const { signal } = this.#question;
    this.#page.run(async () => {
      const { mentions } = await this.#page.link.request('agent.mentions', { query }, signal);
      if (signal.aborted) return;
      this.#found.value = { query, mentions };
      this.#at.value = 0;
      const [first] = mentions;
      if (this.#isTaken && first !== undefined) this.take(first);
    });
  }
}

/** The mention that is being written before the caret; undefined if there is none. */
function mentionAt(text: string, caret: number): BegunMention | undefined {
  const [, query] = /(?:^|\s)@([^\s@]*)$/.exec(text.slice(0, caret)) ?? [];
  return query === undefined ? undefined : { query, from: caret - query.length - 1 };
}
