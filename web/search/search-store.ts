/**
 * The search as this page shows it, and the fields that it is asked with.
 *
 * Invariants: matches belong to the search that `head` names. A replacement is planned for the fields as they are; when a
 * field, a match or a text changes, what was planned before is dropped.
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { FoundFile, SearchHead } from '../../src/editor/protocol/search.ts';
import type { ResultOf } from '../../src/editor/protocol.ts';
import { failureOf } from '../link/page-link.ts';
import { neverAborts, type Page } from '../shell/page.ts';

export type ReplacePlan = ResultOf<'search.plan'>;

/** Keys that follow each other faster than this are searched for together. */
const typingMs = 250;

export class SearchStore {
  readonly text = signal('');
  readonly replacement = signal('');
  readonly isReplaceShown = signal(false);
  readonly isExpression = signal(false);
  readonly isCaseSensitive = signal(false);
  readonly isWholeWord = signal(false);
  readonly isFilesShown = signal(false);
  readonly include = signal('');
  readonly exclude = signal('');
  /** Files that are not replaced in. */
  readonly without = signal<ReadonlySet<string>>(new Set());
  /** What is wrong with the query. */
  readonly problem = signal('');
  readonly plan = signal<ReplacePlan | undefined>(undefined);
  readonly #page: Page;
  readonly #head = signal<SearchHead | undefined>(undefined);
  readonly #found = signal<readonly FoundFile[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #planning: AbortController | undefined;

  constructor(page: Page) {
    this.#page = page;
    page.link.onSnapshot(({ search }) => {
      this.#head.value = search?.head;
      this.#found.value = search?.found ?? [];
      if (search !== undefined && this.text.peek() === '') this.#restore(search.head);
    });
    page.link.on('search.changed', ({ search }) => {
      if (search.id !== this.#head.peek()?.id) {
        this.#found.value = [];
        this.without.value = new Set();
      }
      this.#head.value = search;
    });
    page.link.on('search.found', ({ id, files }) => {
      if (id === this.#head.peek()?.id) this.#found.value = [...this.#found.peek(), ...files];
    });
    effect(() => this.#planSoon());
  }

  get head(): ReadonlySignal<SearchHead | undefined> {
    return this.#head;
  }

  get found(): ReadonlySignal<readonly FoundFile[]> {
    return this.#found;
  }

  /** Whether what is listed is all there is, as the text is now. */
  readonly isCurrent: ReadonlySignal<boolean> = computed(() => {
    const head = this.#head.value;
    const isDone = head?.state.kind === 'complete' || head?.state.kind === 'cut';
    return isDone && !head.isOutdated && this.text.value === head.query.text;
  });

  typed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.run(), typingMs);
  }

  run(): void {
    clearTimeout(this.#timer);
    this.problem.value = '';
    if (this.text.peek() === '') return;
    this.#page.link.request('search.run', this.query(), neverAborts).catch((thrown: unknown) => {
      const failure = failureOf(thrown);
      this.problem.value = failure === undefined ? '' : `${failure.message}. ${failure.remedy}`;
    });
  }

  stop(): void {
    this.#page.run(() => this.#page.link.request('search.stop', {}, neverAborts));
  }

  /** Leaves a file out of the replacement, or takes it in again. */
  toggleFile(path: string): void {
    const next = new Set(this.without.peek());
    if (!next.delete(path)) next.add(path);
    this.without.value = next;
  }

  query(): { text: string; kind: 'literal' | 'expression'; include: string[]; exclude: string[] } & {
    isCaseSensitive: boolean;
    isWholeWord: boolean;
  } {
    return {
      text: this.text.peek(),
      kind: this.isExpression.peek() ? 'expression' : 'literal',
      isCaseSensitive: this.isCaseSensitive.peek(),
      isWholeWord: this.isWholeWord.peek(),
      include: globsOf(this.include.peek()),
      exclude: globsOf(this.exclude.peek()),
    };
  }

  #planSoon(): (() => void) | undefined {
    const [replacement, without] = [this.replacement.value, [...this.without.value]];
    const isWanted = this.isReplaceShown.value && this.isCurrent.value && this.#found.value.length > 0;
    this.#planning?.abort();
    this.plan.value = undefined;
    if (!isWanted) return undefined;
    const timer = setTimeout(() => this.#planNow(replacement, without), typingMs);
    return () => clearTimeout(timer);
  }

  #planNow(replacement: string, without: readonly string[]): void {
    const abort = new AbortController();
    this.#planning = abort;
    this.#page.run(async () => {
      const asked = { query: this.query(), replacement, without: [...without] };
      const plan = await this.#page.link.request('search.plan', asked, abort.signal);
      if (!abort.signal.aborted) this.plan.value = plan;
    });
  }

  #restore({ query }: SearchHead): void {
    this.text.value = query.text;
    this.isExpression.value = query.kind === 'expression';
    this.isCaseSensitive.value = query.isCaseSensitive;
    this.isWholeWord.value = query.isWholeWord;
    this.include.value = query.include.join(', ');
    this.exclude.value = query.exclude.join(', ');
    this.isFilesShown.value = query.include.length + query.exclude.length > 0;
  }
}

/** Globs are separated by commas; those in braces belong to one glob. */
function globsOf(text: string): string[] {
  return text
    .split(/,(?![^{]*\})/)
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
}
