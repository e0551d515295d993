/** What a person does to files in the tree: create, rename, delete. Each asks for what it needs first. */
import type { Signal } from '@preact/signals';
import { neverAborts, type Page } from '../shell/page.ts';
import { folderOf, nameOf } from '../shell/place.ts';
import type { FileTree } from './file-tree.ts';

export class FileActions {
  readonly #page: Page;
  readonly #tree: FileTree;
  readonly #current: Signal<string | undefined>;

  constructor(page: Page, tree: FileTree, current: Signal<string | undefined>) {
    this.#page = page;
    this.#tree = tree;
    this.#current = current;
  }

  /** In the directory of the current row. */
  create(kind: 'file' | 'directory'): void {
    this.#page.run(async () => {
      const directory = this.#directory();
      const { answer, text } = await this.#page.dialogs.ask({
        title: kind === 'file' ? 'New file' : 'New folder',
        field: { label: 'Path', value: directory === '' ? '' : `${directory}/`, select: [4096, 4096] },
        choices: [
          { answer: 'cancel', title: 'Cancel' },
          { answer: 'create', title: 'Create', look: 'primary' },
        ],
        safe: 'cancel',
      });
      const path = text.trim().replace(/^\/+|\/+$/g, '');
      if (answer === 'cancel' || path === '') return;
      await this.#page.link.request('file.create', { path, kind }, neverAborts);
      this.#tree.reveal(path);
      this.#current.value = path;
      if (kind === 'file') this.#page.openFile(path);
    });
  }

  rename(): void {
    const from = this.#current.peek();
    if (from === undefined) return;
    this.#page.run(async () => {
      const nameAt = folderOf(from) === '' ? 0 : folderOf(from).length + 1;
      const dot = from.lastIndexOf('.');
      const { answer, text } = await this.#page.dialogs.ask({
        title: `Rename ${nameOf(from)}`,
        field: { label: 'New path', value: from, select: [nameAt, dot > nameAt ? dot : from.length] },
        choices: [
          { answer: 'cancel', title: 'Cancel' },
          { answer: 'rename', title: 'Rename', look: 'primary' },
        ],
        safe: 'cancel',
      });
      const to = text.trim();
      if (answer === 'cancel' || to === '' || to === from) return;
      const { paths } = await this.#page.link.request('file.rename', { from, to }, neverAborts);
      this.#current.value = to;
      const others = paths.filter((path) => path !== from && path !== to).length;
      this.#page.toasts.show({
        title: `Renamed to ${nameOf(to)}.`,
        ...(others > 0 && {
          detail: `Imports were updated in ${others} ${others === 1 ? 'file' : 'files'}.`,
        }),
        // A directory that is not on disk yet has nothing to take back.
        ...(paths.length > 0 && { action: this.#undo }),
      });
    });
  }

  delete(): void {
    const path = this.#current.peek();
    if (path === undefined) return;
    this.#page.run(async () => {
      const { answer } = await this.#page.dialogs.ask({
        title: `Delete ${nameOf(path)}?`,
        choices: [
          { answer: 'keep', title: 'Keep' },
          { answer: 'delete', title: 'Delete', look: 'danger' },
        ],
        safe: 'keep',
      });
      if (answer === 'keep') return;
      const { paths } = await this.#page.link.request('file.delete', { path }, neverAborts);
      for (const each of paths) this.#page.tabs.closeAll('file', each);
      this.#page.toasts.show({
        title: `Deleted ${nameOf(path)}.`,
        ...(paths.length > 0 && { action: this.#undo }),
      });
    });
  }

  closeAll(): void {
    this.#tree.closeAll();
  }

  get #undo(): { readonly title: string; readonly run: () => void } {
    return {
      title: 'Undo',
      run: () => this.#page.run(() => this.#page.link.request('code.undo', {}, neverAborts)),
    };
  }

  #directory(): string {
    const path = this.#current.peek();
    if (path === undefined) return '';
    const row = this.#tree.rows.peek().find((each) => each.path === path);
    return row?.kind === 'directory' ? path : folderOf(path);
  }
}
