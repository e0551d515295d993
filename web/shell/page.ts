/**
 * What every part of the page is built over: the link to the back end, the open buffers, and the state of the shell.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Snapshot } from '../../src/editor/protocol.ts';
import { BufferStore } from '../buffer/buffer-store.ts';
import { failureOf, type PageLink } from '../link/page-link.ts';
import { CommandStore } from './command-store.ts';
import { DialogStore } from './dialog-store.ts';
import { EditorRegistry } from './editor-registry.ts';
import { LayoutStore } from './layout-store.ts';
import type { Part } from './part.ts';
import { nameOf, type Place } from './place.ts';
import { SettingStore } from './setting-store.ts';
import { type Tab, TabStore } from './tab-store.ts';
import { ToastStore } from './toast-store.ts';

export type Workspace = Snapshot['workspace'];

export class Page {
  readonly link: PageLink;
  readonly buffers: BufferStore;
  readonly tabs = new TabStore();
  readonly layout = new LayoutStore();
  readonly settings: SettingStore;
  readonly commands: CommandStore;
  readonly toasts = new ToastStore();
  readonly dialogs = new DialogStore();
  /** The editors on the screen. */
  readonly editors = new EditorRegistry();
  /** The field of palette and quick open; undefined: closed. */
  readonly palette = signal<string | undefined>(undefined);
  readonly parts = signal<readonly Part[]>([]);
  /** The git branch, if there is one. */
  readonly branch = signal<string | undefined>(undefined);
  /** What git says of files, by path. */
  readonly gitMarks = signal<ReadonlyMap<string, { readonly letter: string; readonly word: string }>>(
    new Map(),
  );
  readonly #workspace = signal<Workspace | undefined>(undefined);

  constructor(link: PageLink) {
    this.link = link;
    this.buffers = new BufferStore(link);
    this.settings = new SettingStore(link);
    this.commands = new CommandStore(this.settings.keys);
    link.onSnapshot(({ workspace }) => {
      this.#workspace.value = workspace;
    });
    link.on('trust.changed', ({ trust: { isTrusted } }) => {
      const known = this.#workspace.peek();
      if (known !== undefined) this.#workspace.value = { ...known, isTrusted };
    });
    link.on('file.moved', ({ moves }) => {
      for (const { from, to } of moves) this.tabs.rename(from, to, nameOf(to));
    });
    this.buffers.onGone = (path) => this.tabs.closeAll('file', path);
  }

  /** Undefined until the back end has answered for the first time. */
  get workspace(): ReadonlySignal<Workspace | undefined> {
    return this.#workspace;
  }

  readonly isTrusted: ReadonlySignal<boolean> = computed(() => this.#workspace.value?.isTrusted === true);

  add(part: Part): void {
    this.parts.value = [...this.parts.peek(), part];
    this.commands.add(part.commands ?? []);
    this.settings.define(part.settings ?? []);
  }

  /** Shows a file, and a place in it. A preview tab is replaced by the next one. */
  openFile(path: string, options: { readonly at?: Place; readonly isPreview?: boolean } = {}): void {
    this.tabs.open({ type: 'file', key: path, title: nameOf(path), isPreview: options.isPreview === true });
    this.editors.enter({ path, groupId: this.tabs.activeGroupId.peek() }, options.at);
  }

  /** The text of an unsaved file stays in the back end: closing a tab loses nothing. */
  closeTab(groupId: string, tab: Tab): void {
    this.tabs.close(groupId, tab.id);
    if (tab.type === 'file' && !this.tabs.paths.peek().has(tab.key)) {
      this.run(() => this.buffers.close(tab.key, neverAborts));
    }
  }

  /** Shows what went wrong; nothing for what was cancelled. */
  report(thrown: unknown): void {
    const failure = failureOf(thrown);
    if (failure === undefined) return;
    this.toasts.show({
      title: failure.message,
      detail: failure.remedy,
      icon: 'warning',
      colour: 'caution',
      isError: true,
    });
  }

  /** Work that a click or a key begins: its failure is shown. */
  run(work: () => Promise<unknown>): void {
    work().catch((thrown: unknown) => this.report(thrown));
  }

  #saveAbort: AbortController | undefined;

  /** Saves files after every part agreed. A second call while the first one waits saves at once. */
  async save(paths: readonly string[]): Promise<'saved' | 'not-saved'> {
    const pending = this.#saveAbort;
    const abort = new AbortController();
    this.#saveAbort = abort;
    pending?.abort();
    try {
      if (pending === undefined) {
        for (const { beforeSave } of this.parts.peek()) {
          if ((await beforeSave?.(paths, abort.signal)) === 'stop') return 'not-saved';
        }
      }
      return await this.#write(paths);
    } catch (thrown) {
      if (failureOf(thrown) !== undefined) throw thrown;
      return 'not-saved';
    } finally {
      if (this.#saveAbort === abort) this.#saveAbort = undefined;
    }
  }

  async #write(paths: readonly string[]): Promise<'saved' | 'not-saved'> {
    for (const path of paths) await this.buffers.document(path)?.flush(neverAborts);
    const result = await this.link.request('buffer.save', { paths: [...paths] }, neverAborts);
    if (result.kind === 'saved') {
      for (const { afterSave } of this.parts.peek()) afterSave?.(result.paths);
      return 'saved';
    }
    // The tab itself shows the choice; the status bar says so.
    for (const path of result.paths) this.openFile(path);
    return 'not-saved';
  }
}

export const neverAborts: AbortSignal = new AbortController().signal;
