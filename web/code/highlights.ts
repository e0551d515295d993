/** Other uses of the symbol under the caret, in the same file. */
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { askQuietly, offsetsOf, positionAt } from './code-client.ts';
import { idleFollower } from './idle-follower.ts';

const showHighlights = StateEffect.define<DecorationSet>();

const highlightField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const each of transaction.effects) if (each.is(showHighlights)) return each.value;
    return transaction.docChanged || transaction.selection !== undefined ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const mark = Decoration.mark({ class: 'cm-highlight' });

export function symbolHighlights(page: Page, document: BufferDocument): Extension {
  return [
    highlightField,
    idleFollower({
      idleMs: 300,
      also: 'selection',
      ask: async (view, signal) => {
        const { main } = view.state.selection;
        if (!view.hasFocus || !main.empty || view.state.wordAt(main.head) === null) return;
        const params = { position: positionAt(view.state, main.head) };
        const answer = await askQuietly(page, document, 'code.highlights', params, signal);
        if (answer === undefined || answer.highlights.length < 2) return;
        const found = answer.highlights
          .map(({ range }) => offsetsOf(view.state, range))
          .filter(({ from, to }) => to > from);
        view.dispatch({
          effects: showHighlights.of(
            Decoration.set(
              found.map(({ from, to }) => mark.range(from, to)),
              true,
            ),
          ),
        });
      },
    }),
  ];
}
