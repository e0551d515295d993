/**
 * The diagnostics of the open files.
 *
 * Invariant: an entry belongs to the version it names; before it is shown, that is compared with the version of the text.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { EditorEvent, Snapshot } from '../../src/editor/protocol.ts';
import type { Page } from '../shell/page.ts';

export type FileDiagnostics = Extract<EditorEvent, { readonly kind: 'code.diagnostics' }>['diagnostics'];
export type Diagnostic = FileDiagnostics['items'][number];
export type ServerState = Snapshot['servers'][number];

export class DiagnosticStore {
  readonly #files = signal<ReadonlyMap<string, FileDiagnostics>>(new Map());
  readonly #servers = signal<readonly ServerState[]>([]);

  constructor(page: Page) {
    const { link } = page;
    link.onSnapshot(({ diagnostics, servers }) => {
      this.#files.value = new Map(diagnostics.map((each) => [each.path, each]));
      this.#servers.value = servers;
    });
    link.on('code.diagnostics', ({ diagnostics }) => {
      this.#files.value = new Map(this.#files.peek()).set(diagnostics.path, diagnostics);
    });
    link.on('code.servers', ({ servers }) => {
      this.#servers.value = servers;
    });
    link.on('buffer.closed', ({ path }) => this.#forget(path));
    link.on('buffer.moved', ({ from }) => this.#forget(from));
    /** Only what belongs to the text that the back end has now. */
    this.current = computed(() =>
      [...this.#files.value.values()]
        .filter(({ path, version }) => {
          // The state of a buffer is said when it changes, its version with every change of the text.
          const known = page.buffers.states.value.get(path)?.version;
          return version === (page.buffers.document(path)?.version.value ?? known);
        })
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    );
  }

  readonly current: ReadonlySignal<readonly FileDiagnostics[]>;

  #forget(path: string): void {
    const next = new Map(this.#files.peek());
    next.delete(path);
    this.#files.value = next;
  }

  get files(): ReadonlySignal<ReadonlyMap<string, FileDiagnostics>> {
    return this.#files;
  }

  get servers(): ReadonlySignal<readonly ServerState[]> {
    return this.#servers;
  }
}
