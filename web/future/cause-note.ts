/**
 * The note at the end of a line whose change breaks other files.
 *
 * Invariant: it stands after the line and never moves text; it goes with the first key, since it is about the text before.
 */
import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import { effect } from '@preact/signals';
import type { FutureState } from '../../src/editor/protocol/future.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { nameOf } from '../shell/place.ts';
import type { FutureStore } from './future-store.ts';

type Cause = Extract<FutureState, { readonly kind: 'checked' }>['causes'][number];

class CauseNote extends WidgetType {
  readonly #files: readonly string[];

  constructor(files: readonly string[]) {
    super();
    this.#files = files;
  }

  override eq(other: CauseNote): boolean {
    return other.#files.join() === this.#files.join();
  }

  override toDOM(): HTMLElement {
    const note = document.createElement('span');
    note.className = 'cause-note';
    note.textContent = `breaks ${counted(this.#files.length, 'file')}`;
    note.title = this.#files.map(nameOf).join(', ');
    return note;
  }
}

const setCauses = StateEffect.define<readonly Cause[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (notes, transaction) => {
    for (const each of transaction.effects) {
      if (each.is(setCauses)) return notesFor(transaction.state.doc, each.value);
    }
    return transaction.docChanged ? Decoration.none : notes;
  },
  provide: (own) => EditorView.decorations.from(own),
});

function notesFor(doc: EditorView['state']['doc'], causes: readonly Cause[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { line, files } of [...causes].sort((one, other) => one.line - other.line)) {
    if (line >= doc.lines) continue;
    const { to } = doc.line(line + 1);
    builder.add(to, to, Decoration.widget({ widget: new CauseNote(files), side: 1 }));
  }
  return builder.finish();
}

export function causeNotes(store: FutureStore, path: string): Extension {
  return [
    field,
    ViewPlugin.define((view) => {
      const stop = effect(() => {
        const state = store.state.value;
        const isShown = state.kind === 'checked' && !store.isBehind.value;
        const causes = isShown ? state.causes.filter((cause) => cause.path === path) : [];
        // An editor cannot be changed while it is being changed.
        queueMicrotask(() => {
          if (view.dom.isConnected || causes.length > 0) view.dispatch({ effects: setCauses.of(causes) });
        });
      });
      return { destroy: stop };
    }),
  ];
}
