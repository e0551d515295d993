/**
 * The buffers of the back end as this page knows them, and the documents of the files that are open here.
 *
 * Invariant: the state of a buffer is always what the back end last said; the page guesses nothing.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { PageLink } from '../link/page-link.ts';
import { BufferDocument } from './buffer-document.ts';

type Opened = ResultOf<'buffer.open'>;
export type BufferState = Extract<Opened, { readonly kind: 'text' }>['state'];

/** What a tab of a file shows. */
export type FileContent =
  | { readonly kind: 'text'; readonly document: BufferDocument }
  | { readonly kind: 'binary' | 'large'; readonly bytes: number };

export class BufferStore {
  readonly #link: PageLink;
  readonly #states = signal<ReadonlyMap<string, BufferState>>(new Map());
  readonly #documents = new Map<string, BufferDocument>();
  readonly #opening = new Map<string, Promise<FileContent>>();

  constructor(link: PageLink) {
    this.#link = link;
    link.onSnapshot(({ buffers }) => {
      this.#states.value = new Map(buffers.map((state) => [state.path, state]));
    });
    link.onOnline(() => {
      for (const document of this.#documents.values()) document.resume();
    });
    link.on('buffer.updated', ({ path, version, updates }) =>
      this.#documents.get(path)?.receive(version, updates),
    );
    link.on('buffer.state', ({ state }) => {
      this.#states.value = new Map(this.#states.peek()).set(state.path, state);
    });
    link.on('buffer.closed', ({ path }) => {
      const next = new Map(this.#states.peek());
      next.delete(path);
      this.#states.value = next;
    });
  }

  get states(): ReadonlySignal<ReadonlyMap<string, BufferState>> {
    return this.#states;
  }

  readonly unsaved: ReadonlySignal<readonly string[]> = computed(() =>
    [...this.#states.value.values()].filter(({ isUnsaved }) => isUnsaved).map(({ path }) => path),
  );

  readonly conflicts: ReadonlySignal<readonly string[]> = computed(() =>
    [...this.#states.value.values()].filter(({ conflict }) => conflict !== 'none').map(({ path }) => path),
  );

  document(path: string): BufferDocument | undefined {
    return this.#documents.get(path);
  }

  open(path: string, signal: AbortSignal): Promise<FileContent> {
    const document = this.#documents.get(path);
    if (document !== undefined) return Promise.resolve({ kind: 'text', document });
    const opening = this.#opening.get(path) ?? this.#open(path, signal);
    this.#opening.set(path, opening);
    return opening.finally(() => this.#opening.delete(path));
  }

  async #open(path: string, signal: AbortSignal): Promise<FileContent> {
    const opened = await this.#link.request('buffer.open', { path }, signal);
    if (opened.kind !== 'text') return opened;
    const document = new BufferDocument(this.#link, path, {
      text: opened.text,
      version: opened.state.version,
    });
    this.#documents.set(path, document);
    this.#states.value = new Map(this.#states.peek()).set(path, opened.state);
    return { kind: 'text', document };
  }

  /** No tab of this page shows it any more. */
  async close(path: string, signal: AbortSignal): Promise<void> {
    const document = this.#documents.get(path);
    if (document === undefined) return;
    await document.flush(signal);
    this.#documents.delete(path);
    await this.#link.request('buffer.close', { path }, signal);
  }
}
