/**
 * The tree of the workspace as far as it was opened.
 *
 * Invariant: the entries of a directory are what the back end last said; one that changed on disk is read again.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { PageLink } from '../link/page-link.ts';

type FileEntry = ResultOf<'file.list'>['entries'][number];

export interface TreeRow {
  readonly path: string;
  readonly name: string;
  readonly kind: FileEntry['kind'];
  readonly isIgnored: boolean;
  /** A directory that is not on disk before it holds a file. */
  readonly isPending: boolean;
  readonly depth: number;
  readonly isOpen: boolean;
  /** From one, among its siblings. */
  readonly place: number;
  readonly siblings: number;
}

export class FileTree {
  readonly #link: PageLink;
  readonly #entries = signal<ReadonlyMap<string, readonly FileEntry[]>>(new Map());
  readonly #open = signal<ReadonlySet<string>>(new Set());
  readonly #reading = new Set<string>();
  /** Directories that changed while they were read. */
  readonly #changed = new Set<string>();
  readonly #onFailure: (thrown: unknown) => void;

  constructor(link: PageLink, onFailure: (thrown: unknown) => void) {
    this.#link = link;
    this.#onFailure = onFailure;
    link.onSnapshot(() => {
      const known = new Set(['', ...this.#entries.peek().keys(), ...this.#open.peek()]);
      for (const directory of known) this.#read(directory);
    });
    link.on('file.changed', ({ directories }) => {
      for (const directory of directories) if (this.#entries.peek().has(directory)) this.#read(directory);
    });
  }

  readonly rows: ReadonlySignal<readonly TreeRow[]> = computed(() => {
    const rows: TreeRow[] = [];
    this.#addRows(rows, '', 0);
    return rows;
  });

  get isRead(): boolean {
    return this.#entries.value.has('');
  }

  isOpen(directory: string): boolean {
    return this.#open.value.has(directory);
  }

  open(directory: string): void {
    this.#open.value = new Set(this.#open.peek()).add(directory);
    if (!this.#entries.peek().has(directory)) this.#read(directory);
  }

  close(directory: string): void {
    const next = new Set(this.#open.peek());
    next.delete(directory);
    this.#open.value = next;
  }

  closeAll(): void {
    this.#open.value = new Set();
  }

  /** Opens every directory above a file. */
  reveal(path: string): void {
    const parts = path.split('/').slice(0, -1);
    for (const [index] of parts.entries()) {
      const directory = parts.slice(0, index + 1).join('/');
      if (!this.#open.peek().has(directory)) this.open(directory);
    }
  }

  #addRows(rows: TreeRow[], directory: string, depth: number): void {
    const entries = this.#entries.value.get(directory) ?? [];
    const siblings = entries.length;
    for (const [index, { name, kind, isIgnored, isPending = false }] of entries.entries()) {
      const path = directory === '' ? name : `${directory}/${name}`;
      const isOpen = kind === 'directory' && this.#open.value.has(path);
      rows.push({ path, name, kind, isIgnored, isPending, depth, isOpen, place: index + 1, siblings });
      if (isOpen) this.#addRows(rows, path, depth + 1);
    }
  }

  #read(directory: string): void {
    if (this.#reading.has(directory)) {
      // The answer under way may be about the entries before this change.
      this.#changed.add(directory);
      return;
    }
    this.#reading.add(directory);
    this.#link
      .request('file.list', { directory }, new AbortController().signal)
      .then(
        ({ entries }) => {
          this.#entries.value = new Map(this.#entries.peek()).set(
            directory,
            [...entries].sort(byKindAndName),
          );
        },
        (thrown: unknown) => {
          const next = new Map(this.#entries.peek());
          next.delete(directory);
          this.#entries.value = next;
          // A directory that is gone was reported by its parent already.
          if (directory === '') this.#onFailure(thrown);
        },
      )
      .finally(() => {
        this.#reading.delete(directory);
        if (this.#changed.delete(directory)) this.#read(directory);
      });
  }
}

function byKindAndName(a: FileEntry, b: FileEntry): number {
  const rank = (entry: FileEntry): number => (entry.kind === 'directory' ? 0 : 1);
  return rank(a) - rank(b) || a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' });
}
