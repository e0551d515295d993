/** What a server offers to do at the caret, as a list beside it. */
import { type Signal, signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { ResultOf } from '../../src/editor/protocol.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { MenuList } from '../ui/menu.tsx';
import { askAbout, positionAt } from './code-client.ts';
import { caretOf } from './navigation.ts';

interface OpenActions {
  readonly list: ResultOf<'code.actions'>;
  readonly left: number;
  readonly top: number;
  readonly focus: () => void;
}

export class CodeActions {
  readonly open: Signal<OpenActions | undefined> = signal(undefined);
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  show(): void {
    const caret = caretOf(this.#page);
    if (caret === undefined) return;
    this.#page.run(async () => {
      const { view, document } = caret;
      const { main } = view.state.selection;
      const range = { start: positionAt(view.state, main.from), end: positionAt(view.state, main.to) };
      const list = await askAbout(
        this.#page,
        document,
        'code.actions',
        { range },
        AbortSignal.timeout(20_000),
      );
      if (list === undefined) return;
      if (list.actions.length === 0) {
        this.#page.toasts.show({ title: 'No code actions here.' });
        return;
      }
      const at = view.coordsAtPos(main.head) ?? view.dom.getBoundingClientRect();
      this.open.value = { list, left: at.left, top: at.bottom, focus: () => view.focus() };
    });
  }

  /** By the list it stands in: the list is closed by the time an action runs. */
  run({ list }: ResultOf<'code.actions'>, index: number): void {
    this.#page.run(() => this.#page.link.request('code.runAction', { list, index }, neverAborts));
  }

  close(): void {
    const open = this.open.peek();
    this.open.value = undefined;
    open?.focus();
  }
}

export function CodeActionList({ actions }: { readonly actions: CodeActions }): VNode | null {
  const open = actions.open.value;
  if (open === undefined) return null;
  const { list, left, top } = open;
  return (
    <div class="at-caret" style={{ left: `${left}px`, top: `${top}px` }}>
      <MenuList
        label="Code actions"
        onClose={() => actions.close()}
        items={list.actions.map(({ title, disabled }, index) => ({
          title,
          ...(disabled !== undefined && { sentence: disabled }),
          run: () => actions.run(list, index),
        }))}
      />
    </div>
  );
}
