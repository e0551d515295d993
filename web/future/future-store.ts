/**
 * The future as this page knows it.
 *
 * Invariant: a verdict is shown as one only while the page has exactly the text that it is about; from the first key on
 * it is being checked.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { WireEvaluation, WireFinding } from '../../src/editor/protocol/evaluation.ts';
import type { FutureState } from '../../src/editor/protocol/future.ts';
import type { Page } from '../shell/page.ts';

/** An answer that comes sooner changes the icon only, so that fast servers do not blink. */
const heldBackMs = 150;

export class FutureStore {
  readonly #page: Page;
  readonly #state = signal<FutureState>({ kind: 'nothing' });
  readonly #last = signal<WireEvaluation | undefined>(undefined);
  /** Grows with every key; what was checked before it is old. */
  readonly #typed = signal(0);
  readonly #checkedAt = signal(0);
  /** The word `Checking` is held back. */
  readonly isBrief = signal(false);
  readonly isSaving = signal(false);
  #brief: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Page) {
    this.#page = page;
    page.link.onSnapshot(({ future }) => {
      this.#last.value = future?.last;
      this.#take(future?.state ?? { kind: 'nothing' });
    });
    page.link.on('future.changed', ({ future }) => this.#take(future));
  }

  get state(): ReadonlySignal<FutureState> {
    return this.#state;
  }

  /** The last evaluation, also while a new one runs; undefined if there is nothing unsaved. */
  get last(): ReadonlySignal<WireEvaluation | undefined> {
    return this.#last;
  }

  /** The text of this page is newer than what the state is about. */
  readonly isBehind: ReadonlySignal<boolean> = computed(() => this.#typed.value > this.#checkedAt.value);

  readonly isChecking: ReadonlySignal<boolean> = computed(
    () =>
      this.#state.value.kind === 'checking' ||
      (this.isBehind.value && this.#state.value.kind !== 'unchecked'),
  );

  /** The places that would break, those in files that are not open first. */
  readonly places: ReadonlySignal<readonly WireFinding[]> = computed(() => {
    const open = this.#page.tabs.paths.value;
    const errors = (this.#last.value?.introduced ?? []).filter(({ severity }) => severity === 'error');
    return [...errors.filter(({ path }) => !open.has(path)), ...errors.filter(({ path }) => open.has(path))];
  });

  /** The user changed a text of this page. */
  typed(): void {
    this.#typed.value += 1;
    this.#beginBrief();
  }

  #take(state: FutureState): void {
    if (state.kind === 'checking') this.#beginBrief();
    if (state.kind === 'checked') {
      this.#last.value = state.evaluation;
      if (this.#isOurs(state.versions)) this.#checkedAt.value = this.#typed.peek();
    } else if (state.kind !== 'checking') {
      this.#last.value = undefined;
      this.#checkedAt.value = this.#typed.peek();
    }
    this.#state.value = state;
  }

  /** Whether this page has nothing that the back end had not when it checked. */
  #isOurs(versions: Readonly<Record<string, number>>): boolean {
    return Object.entries(versions).every(([path, version]) => {
      const document = this.#page.buffers.document(path);
      return document === undefined || (document.isInStep && document.version.peek() <= version);
    });
  }

  #beginBrief(): void {
    if (this.#state.peek().kind === 'checking') return;
    clearTimeout(this.#brief);
    this.isBrief.value = true;
    this.#brief = setTimeout(() => {
      this.isBrief.value = false;
    }, heldBackMs);
  }
}
