/**
 * The note at the end of a line whose change breaks other files.
 *
 * Invariant: it stands after the line and never moves text; it goes with the first key, since it is about the text before.
 */
import { type Extension, RangeSet, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  ViewPlugin,
  WidgetType,
} from '@codemirror/view';
import { effect } from '@preact/signals';
import type { FutureState } from '../../src/editor/protocol/future.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { type GutterMarks, verdictMarks } from '../buffer/gutter.ts';
import { nameOf } from '../shell/place.ts';
import { iconElement } from '../ui/icon.tsx';
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
    const files = counted(this.#files.length, 'file');
    note.append(form('long', `breaks ${files}`), form('short', files));
    note.title = `breaks ${files}: ${this.#files.map(nameOf).join(', ')}`;
    return note;
  }
}

function form(name: 'long' | 'short', text: string): HTMLElement {
  const words = document.createElement('span');
  words.className = `cause-${name}`;
  words.textContent = text;
  return words;
}

/** Room before the words, in pixels, as in the styles. */
const gaps = { long: 26, short: 10 };

/** Which form of each note fits between the end of its line and the edge of the view. */
const fitNotes = {
  read: (view: EditorView): readonly (readonly [HTMLElement, string])[] => {
    const edge = view.scrollDOM.getBoundingClientRect().right;
    const notes = [...view.contentDOM.querySelectorAll<HTMLElement>('.cause-note')];
    return notes.map((note) => {
      const room = edge - note.getBoundingClientRect().left;
      const fits = (name: 'long' | 'short'): boolean => {
        const words = note.querySelector(`.cause-${name}`);
        return words !== null && gaps[name] + words.getBoundingClientRect().width <= room;
      };
      return [note, fits('long') ? 'long' : fits('short') ? 'short' : 'none'] as const;
    });
  },
  write: (forms: readonly (readonly [HTMLElement, string])[]): void => {
    for (const [note, name] of forms) note.dataset.form = name;
  },
};

/** The octagon beside the number of the line. */
class CauseMark extends GutterMarker {
  readonly #files: number;

  constructor(files: number) {
    super();
    this.#files = files;
  }

  override eq(other: CauseMark): boolean {
    return other.#files === this.#files;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'c-break cause-mark';
    mark.setAttribute('role', 'img');
    mark.setAttribute('aria-label', `This line breaks ${counted(this.#files, 'file')}`);
    mark.append(iconElement('broken'));
    return mark;
  }
}

interface CauseMarks {
  readonly notes: DecorationSet;
  readonly marks: GutterMarks;
}

const none: CauseMarks = { notes: Decoration.none, marks: RangeSet.empty };

const setCauses = StateEffect.define<readonly Cause[]>();

const field = StateField.define<CauseMarks>({
  create: () => none,
  update: (shown, transaction) => {
    for (const each of transaction.effects) {
      if (each.is(setCauses)) return marksFor(transaction.state.doc, each.value);
    }
    return transaction.docChanged ? none : shown;
  },
  provide: (own) => [
    EditorView.decorations.from(own, ({ notes }) => notes),
    verdictMarks.of((view) => view.state.field(own).marks),
  ],
});

function marksFor(doc: EditorView['state']['doc'], causes: readonly Cause[]): CauseMarks {
  const notes = new RangeSetBuilder<Decoration>();
  const marks = new RangeSetBuilder<GutterMarker>();
  for (const { line, files } of [...causes].sort((one, other) => one.line - other.line)) {
    if (line >= doc.lines) continue;
    const { from, to } = doc.line(line + 1);
    notes.add(to, to, Decoration.widget({ widget: new CauseNote(files), side: 1 }));
    marks.add(from, from, new CauseMark(files.length));
  }
  return { notes: notes.finish(), marks: marks.finish() };
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
      return {
        // A note that is cut off says nothing; the mark beside the number stays.
        update: ({ geometryChanged, transactions }) => {
          const isNew = transactions.some(({ effects }) => effects.some((each) => each.is(setCauses)));
          if (geometryChanged || isNew) view.requestMeasure(fitNotes);
        },
        destroy: stop,
      };
    }),
  ];
}
