/** The terminals of the back end, and which of them this page shows. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { TerminalState } from '../../src/editor/protocol/terminal.ts';
import { failureOf } from '../link/page-link.ts';
import { neverAborts, type Page } from '../shell/page.ts';

/** A terminal is given its real size once it is drawn. */
const firstSize = { columns: 80, rows: 24 };

export class TerminalStore {
  /** Why no terminal can be opened. */
  readonly problem = signal('');
  readonly #page: Page;
  readonly #all = signal<readonly TerminalState[]>([]);
  readonly #chosen = signal<string | undefined>(undefined);
  #isOpening = false;

  constructor(page: Page) {
    this.#page = page;
    page.link.onSnapshot(({ terminals }) => {
      this.#all.value = terminals ?? [];
    });
    page.link.on('terminal.changed', ({ terminals }) => {
      this.#all.value = terminals;
    });
  }

  get all(): ReadonlySignal<readonly TerminalState[]> {
    return this.#all;
  }

  /** The one that is shown; the last one if the chosen one is closed. */
  readonly shown: ReadonlySignal<TerminalState | undefined> = computed(
    () => this.#all.value.find(({ id }) => id === this.#chosen.value) ?? this.#all.value.at(-1),
  );

  choose(id: string): void {
    this.#chosen.value = id;
  }

  /** Only a key or a click of the user leads here. */
  open(): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.problem.value = '';
    this.#page.link
      .request('terminal.open', firstSize, neverAborts)
      .then(({ id }) => this.choose(id))
      .catch((thrown: unknown) => {
        const failure = failureOf(thrown);
        this.problem.value = failure === undefined ? '' : `${failure.message}. ${failure.remedy}`;
      })
      .finally(() => {
        this.#isOpening = false;
      });
  }

  close(id: string): void {
    this.#page.run(() => this.#page.link.request('terminal.close', { id }, neverAborts));
  }
}
