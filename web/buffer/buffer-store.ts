/**
 * The buffers of the back end as this page knows them, and the documents of the files that are open here.
 *
 * Invariants: the state of a buffer is always what the back end last said; the page guesses nothing. A document that the
 * back end closed while this page shows it is opened there again; if its file is gone, it is reported as gone.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ResultOf } from '../../src/editor/protocol.ts';
import { failureOf, type PageLink } from '../link/page-link.ts';
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
      for (const path of this.#documents.keys()) if (!this.#states.value.has(path)) this.#reopen(path);
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
      if (this.#documents.has(path)) this.#reopen(path);
    });
    link.on('buffer.moved', ({ from, state }) => this.#move(from, state));
  }

  /** Called with the path of a document whose file is gone. */
  onGone: ((path: string) => void) | undefined;

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
    const opening = this.#opening.get(path) ?? this.#open(path, 'detected', signal);
    this.#opening.set(path, opening);
    return opening.finally(() => this.#opening.delete(path));
  }

  /** Shows a file that is no text as one, read only. */
  openAsText(path: string, signal: AbortSignal): Promise<FileContent> {
    return this.#open(path, 'text', signal);
  }

  async #open(path: string, as: 'detected' | 'text', signal: AbortSignal): Promise<FileContent> {
    const opened = await this.#link.request('buffer.open', { path, as }, signal);
    if (opened.kind !== 'text') return opened;
    const document = new BufferDocument(this.#link, path, {
      text: opened.text,
      version: opened.state.version,
    });
    this.#documents.set(path, document);
    this.#states.value = new Map(this.#states.peek()).set(path, opened.state);
    return { kind: 'text', document };
  }

  #move(from: string, state: BufferState): void {
    const next = new Map(this.#states.peek());
    next.delete(from);
    this.#states.value = next.set(state.path, state);
    const document = this.#documents.get(from);
    if (document === undefined) return;
    this.#documents.delete(from);
    this.#documents.set(state.path, document);
    document.movedTo(state.path);
  }

  /** The back end closed the buffer: this page was away for long, or the file was deleted. */
  #reopen(path: string): void {
    this.#link.request('buffer.open', { path }, new AbortController().signal).then(
      (opened) => {
        if (opened.kind !== 'text') return this.#lose(path);
        this.#states.value = new Map(this.#states.peek()).set(path, opened.state);
        this.#documents.get(path)?.resume();
      },
      (thrown: unknown) => {
        // After a connection that ended, the next snapshot or event leads here again.
        if (failureOf(thrown)?.code !== 'link/lost') this.#lose(path);
      },
    );
  }

  #lose(path: string): void {
    if (this.#documents.delete(path)) this.onGone?.(path);
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
