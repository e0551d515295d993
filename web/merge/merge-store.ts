/** The merge that the back end judges, what can be chosen for the next one, and the pair that is looked at. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { MergeRun, WireMergeCandidate, WireMergePair } from '../../src/editor/protocol/merge.ts';
import { failureOf } from '../link/page-link.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { enterTab } from '../shell/region.ts';

/** A cell of the matrix; equal numbers: a side alone. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export class MergeStore {
  readonly #page: Page;
  readonly #run = signal<MergeRun | undefined>(undefined);
  readonly #candidates = signal<readonly WireMergeCandidate[] | 'no-repository' | undefined>(undefined);
  readonly onto = signal('');
  /** In the order in which they were checked. */
  readonly chosen = signal<readonly string[]>([]);
  readonly isChoosing = signal(true);
  readonly shownCell = signal<Cell | undefined>(undefined);

  constructor(page: Page) {
    this.#page = page;
    const take = (run: MergeRun | undefined): void => {
      const isOther = run?.run !== this.#run.peek()?.run;
      this.#run.value = run;
      if (!isOther) return;
      this.shownCell.value = undefined;
      this.isChoosing.value = run === undefined;
      if (run) this.chosen.value = run.sides.map(({ name }) => name);
    };
    page.link.onSnapshot(({ merge }) => take(merge));
    page.link.on('merge.changed', ({ merge }) => take(merge));
  }

  get run(): ReadonlySignal<MergeRun | undefined> {
    return this.#run;
  }

  /** Undefined until they were read. */
  get candidates(): ReadonlySignal<readonly WireMergeCandidate[] | 'no-repository' | undefined> {
    return this.#candidates;
  }

  readonly outcomes: ReadonlySignal<ReadonlyMap<string, WireMergePair['outcome']>> = computed(
    () => new Map(this.#run.value?.pairs.map(({ one, other, outcome }) => [`${one} ${other}`, outcome])),
  );

  outcome({ row, column }: Cell): WireMergePair['outcome'] | undefined {
    return this.outcomes.value.get(`${Math.min(row, column)} ${Math.max(row, column)}`);
  }

  async readCandidates(signalled: AbortSignal): Promise<void> {
    try {
      const { onto, candidates } = await this.#page.link.request('merge.candidates', {}, signalled);
      this.onto.value = onto;
      this.#candidates.value = candidates;
    } catch (thrown) {
      if (failureOf(thrown)?.code !== 'git/failed') throw thrown;
      this.#candidates.value = 'no-repository';
    }
  }

  toggle(name: string): void {
    const chosen = this.chosen.peek();
    this.chosen.value = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
  }

  start(): void {
    const sides = [...this.chosen.peek()];
    this.#page.run(() => this.#page.link.request('merge.start', { sides }, neverAborts));
  }

  cancel(): void {
    this.#page.run(() => this.#page.link.request('merge.cancel', {}, neverAborts));
  }

  /** Makes a what-if of sides merged in this order, and opens it. */
  compose(sides: readonly number[]): void {
    const page = this.#page;
    page.run(async () => {
      const made = await page.link.request('merge.compose', { sides: [...sides] }, neverAborts);
      if (made.kind === 'done') page.tabs.open({ type: 'what-if', key: made.id, title: 'Merge' });
      else {
        const title = `The text of ${made.paths.join(', ')} does not merge.`;
        page.toasts.show({ title, icon: 'conflict', colour: 'caution' });
      }
    });
  }

  open(): void {
    enterTab(this.#page, { type: 'merges', key: '', title: 'Merges' });
  }
}
