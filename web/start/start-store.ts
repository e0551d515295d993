/** What-ifs that are open, for the page that is shown where no file is. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { WhatIfRow } from '../../src/editor/protocol/what-if.ts';
import type { Page } from '../shell/page.ts';

export class StartStore {
  readonly #rows = signal<ReadonlyMap<string, WhatIfRow>>(new Map());

  constructor(page: Page) {
    page.link.onSnapshot(({ whatIfs = [] }) => {
      this.#rows.value = new Map(whatIfs.map((row) => [row.id, row]));
    });
    page.link.on('whatif.changed', ({ rows, removed }) => {
      const next = new Map(this.#rows.peek());
      for (const row of rows) next.set(row.id, row);
      for (const id of removed) next.delete(id);
      this.#rows.value = next;
    });
  }

  /** The newest first; what was committed is not open any more. */
  readonly whatIfs: ReadonlySignal<readonly WhatIfRow[]> = computed(() =>
    [...this.#rows.value.values()].filter(({ group }) => group !== 'committed').sort((a, b) => b.at - a.at),
  );
}
