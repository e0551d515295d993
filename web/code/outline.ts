/** The symbols of a file: those around the caret in the breadcrumb, all of them in the palette. */
import type { Extension } from '@codemirror/state';
import type { OutlineSymbol } from '../../src/editor/protocol/code.ts';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { askQuietly, positionAt, type WirePosition } from './code-client.ts';
import { idleFollower } from './idle-follower.ts';

export class OutlineStore {
  readonly #page: Page;
  readonly #symbols = new Map<
    string,
    { readonly count: number; readonly symbols: readonly OutlineSymbol[] }
  >();

  constructor(page: Page) {
    this.#page = page;
  }

  /** The last known ones; they may be those of a text before. */
  of(path: string): readonly OutlineSymbol[] {
    return this.#symbols.get(path)?.symbols ?? [];
  }

  extension(document: BufferDocument): Extension {
    return idleFollower({
      idleMs: 250,
      also: 'selection',
      ask: async (view, signal) => {
        const { path } = document;
        if (this.#symbols.get(path)?.count !== document.changeCount) {
          const count = document.changeCount;
          const answer = await askQuietly(this.#page, document, 'code.outline', {}, signal);
          if (answer === undefined) return;
          this.#symbols.set(path, { count, symbols: answer.symbols });
        }
        const editor = this.#page.editors.active.peek();
        if (editor?.view !== view) return;
        const caret = positionAt(view.state, view.state.selection.main.head);
        this.#page.editors.symbolPath.value = around(this.of(path), caret).map(
          ({ name, selectionRange }) => ({
            name,
            run: () => this.#page.editors.enter(editor, { path, ...selectionRange.start }),
          }),
        );
      },
    });
  }
}

function around(symbols: readonly OutlineSymbol[], caret: WirePosition): readonly OutlineSymbol[] {
  const inside = symbols.find(({ range }) => !isBefore(caret, range.start) && !isBefore(range.end, caret));
  return inside === undefined ? [] : [inside, ...around(inside.children, caret)];
}

function isBefore(a: WirePosition, b: WirePosition): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Every symbol with those it stands in. */
export function flat(
  symbols: readonly OutlineSymbol[],
  container = '',
): readonly { readonly symbol: OutlineSymbol; readonly container: string }[] {
  return symbols.flatMap((symbol) => [{ symbol, container }, ...flat(symbol.children, symbol.name)]);
}
