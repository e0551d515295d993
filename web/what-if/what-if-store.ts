/**
 * The what-ifs as this page knows them, what is checked in the list, and what can be done with them.
 *
 * Invariant: a new row appears at once, except while the list is in use: then it waits behind a line that counts it.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { WhatIfRow } from '../../src/editor/protocol/what-if.ts';
import type { ResultOf } from '../../src/editor/protocol.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { enterTab } from '../shell/region.ts';
import { diskWords } from './what-if-text.ts';

export type RankedWays = ResultOf<'whatif.rank'>['ranked'];

export class WhatIfStore {
  readonly #openedAt = Date.now();
  readonly #page: Page;
  readonly #rows = signal<ReadonlyMap<string, WhatIfRow>>(new Map());
  /** Rows that the user has looked at. */
  readonly #seen = signal<ReadonlySet<string>>(new Set());
  /** New rows that wait until the list is not in use. */
  readonly #held = signal<ReadonlySet<string>>(new Set());
  readonly checked = signal<ReadonlySet<string>>(new Set());
  readonly ranks = signal<RankedWays>([]);
  #isInUse = false;

  constructor(page: Page) {
    this.#page = page;
    page.link.onSnapshot(({ whatIfs = [] }) => {
      this.#rows.value = new Map(whatIfs.map((row) => [row.id, row]));
      this.#seen.value = new Set(whatIfs.map(({ id }) => id));
    });
    page.link.on('whatif.changed', ({ rows, removed }) => this.#changed(rows, removed));
  }

  readonly rows: ReadonlySignal<readonly WhatIfRow[]> = computed(() =>
    [...this.#rows.value.values()].filter(({ id }) => !this.#held.value.has(id)),
  );

  /** How many wait while the list is in use. */
  readonly waiting: ReadonlySignal<number> = computed(() => this.#held.value.size);

  readonly unseen: ReadonlySignal<number> = computed(
    () =>
      [...this.#rows.value.values()].filter(
        ({ id, group }) => group !== 'committed' && !this.#seen.value.has(id),
      ).length,
  );

  row(id: string): WhatIfRow | undefined {
    return this.#rows.value.get(id);
  }

  use(isInUse: boolean): void {
    this.#isInUse = isInUse;
    if (!isInUse) this.showHeld();
  }

  showHeld(): void {
    this.#held.value = new Set();
  }

  saw(ids: readonly string[]): void {
    this.#seen.value = new Set([...this.#seen.peek(), ...ids]);
  }

  toggle(id: string): void {
    const next = new Set(this.checked.peek());
    if (!next.delete(id)) next.add(id);
    this.checked.value = next;
    this.ranks.value = [];
  }

  open(id: string): void {
    this.saw([id]);
    enterTab(this.#page, { type: 'what-if', key: id, title: this.row(id)?.title ?? 'What-if' });
  }

  compare(ids: readonly string[]): void {
    this.saw(ids);
    enterTab(this.#page, { type: 'what-if-compare', key: ids.join(' '), title: 'Compare A and B' });
  }

  rank(ids: readonly string[]): void {
    this.#page.run(async () => {
      const { ranked } = await this.#page.link.request('whatif.rank', { ids: [...ids] }, neverAborts);
      this.ranks.value = ranked;
    });
  }

  /** Asks first if it breaks something. */
  commit(row: WhatIfRow): void {
    this.#page.run(async () => {
      if (!(await this.#mayCommit(row))) return;
      const outcome = await this.#page.link.request('whatif.commit', { id: row.id }, neverAborts);
      if (outcome.kind === 'conflict') {
        this.#page.toasts.show({
          title: `Not committed. ${outcome.paths.join(', ')} changed on disk. Nothing was written.`,
          icon: 'conflict',
          colour: 'caution',
          isError: true,
          action: { title: 'Check again on the new text', run: () => this.rebase(row) },
        });
        return;
      }
      this.#page.toasts.show({
        title: `Committed ${counted(outcome.paths.length, 'file')}.`,
        icon: 'clean',
        colour: 'clean',
        action: { title: 'Undo', run: () => this.undo(row) },
      });
    });
  }

  undo(row: WhatIfRow): void {
    this.#page.run(async () => {
      const outcome = await this.#page.link.request('whatif.undo', { id: row.id }, neverAborts);
      const title =
        outcome.kind === 'done'
          ? `Undone: ${counted(outcome.paths.length, 'file')} as before.`
          : `Not undone. ${outcome.paths.join(', ')} changed since.`;
      this.#page.toasts.show({ title, icon: 'back' });
    });
  }

  discard(rows: readonly WhatIfRow[]): void {
    this.#page.run(async () => {
      if (rows.length > 1 && !(await this.#mayDiscardAll(rows.length))) return;
      await this.#page.link.request('whatif.discard', { ids: rows.map(({ id }) => id) }, neverAborts);
      this.checked.value = new Set();
      const [first] = rows;
      this.#page.toasts.show({
        title:
          rows.length === 1 ? `Discarded “${first?.title ?? ''}”.` : `Discarded ${rows.length} what-ifs.`,
        forMs: 10_000,
        action: { title: 'Undo', run: () => this.#restore(rows) },
      });
    });
  }

  take(row: WhatIfRow): void {
    this.#page.run(async () => {
      if (!(await this.#mayTake(row))) return;
      const outcome = await this.#page.link.request('whatif.take', { id: row.id }, neverAborts);
      if (outcome.kind === 'done') {
        for (const path of outcome.paths) this.#page.openFile(path);
        return;
      }
      const title = `Not taken. The unsaved text of ${outcome.paths.join(', ')} changed the same lines.`;
      this.#page.toasts.show({ title, icon: 'conflict', colour: 'caution' });
    });
  }

  /** Text stays unsaved; what buffers cannot hold is asked about before it is on disk. */
  async #mayTake(row: WhatIfRow): Promise<boolean> {
    const { files } = await this.#page.link.request('whatif.show', { id: row.id }, neverAborts);
    const onDisk = diskWords(files.map(({ kind }) => kind));
    if (onDisk === '') return true;
    const { answer } = await this.#page.dialogs.ask({
      title: `Take “${row.title}” into buffers?`,
      body: `On disk, ${onDisk}. All text stays unsaved. One undo takes everything back.`,
      choices: [
        { answer: 'cancel', title: 'Cancel' },
        { answer: 'take', title: 'Take into buffers', look: 'primary' },
      ],
      safe: 'cancel',
    });
    return answer === 'take';
  }

  rebase(row: WhatIfRow): void {
    this.#page.run(async () => {
      const outcome = await this.#page.link.request('whatif.rebase', { id: row.id }, neverAborts);
      if (outcome.kind === 'done') {
        this.open(outcome.id);
        return;
      }
      const title = `The change does not fit the new text of ${outcome.paths.join(', ')}.`;
      this.#page.toasts.show({ title, icon: 'conflict', colour: 'caution' });
    });
  }

  #restore(rows: readonly WhatIfRow[]): void {
    this.#page.run(async () => {
      for (const { id } of rows) await this.#page.link.request('whatif.restore', { id }, neverAborts);
    });
  }

  async #mayCommit({ title, status }: WhatIfRow): Promise<boolean> {
    if (status.kind !== 'checked' || status.verdict.kind !== 'broken') return true;
    const files = counted(status.verdict.in.length, 'file');
    const { answer } = await this.#page.dialogs.ask({
      title: `Committing “${title}” breaks ${files}`,
      choices: [
        { answer: 'commit', title: 'Commit anyway' },
        { answer: 'stop', title: 'Do not commit', look: 'primary' },
      ],
      safe: 'stop',
    });
    return answer === 'commit';
  }

  async #mayDiscardAll(count: number): Promise<boolean> {
    const { answer } = await this.#page.dialogs.ask({
      title: `Discard ${count} what-ifs?`,
      choices: [
        { answer: 'discard', title: 'Discard' },
        { answer: 'keep', title: 'Keep them', look: 'primary' },
      ],
      safe: 'keep',
    });
    return answer === 'discard';
  }

  #changed(rows: readonly WhatIfRow[], removed: readonly string[]): void {
    const known = new Map(this.#rows.peek());
    const added = rows.filter(
      ({ id, kind, group }) => !known.has(id) && kind !== 'unsaved' && group !== 'committed',
    );
    for (const row of rows) known.set(row.id, row);
    for (const id of removed) known.delete(id);
    this.#rows.value = known;
    if (removed.length > 0) this.#forget(removed);
    if (this.#isInUse && added.length > 0) {
      this.#held.value = new Set([...this.#held.peek(), ...added.map(({ id }) => id)]);
    }
    // Whoever looks at the list sees them there.
    if (this.#page.layout.left.peek() === 'what-if' && this.#page.layout.isShown('left')) return;
    // One that is older than the page may still come late, from a store that was just read.
    for (const row of added) if (row.author !== 'you' && row.at >= this.#openedAt) this.#announce(row);
  }

  #forget(removed: readonly string[]): void {
    const gone = new Set(removed);
    this.checked.value = new Set([...this.checked.peek()].filter((id) => !gone.has(id)));
    this.#held.value = new Set([...this.#held.peek()].filter((id) => !gone.has(id)));
  }

  #announce(row: WhatIfRow): void {
    this.#page.toasts.show({
      title: `New what-if from ${row.author}.`,
      detail: row.title,
      icon: 'whatIf',
      action: { title: 'Show', run: () => this.open(row.id) },
    });
  }
}
