/**
 * Bars beside lines that differ from the last commit, and the old lines where one is clicked.
 *
 * Invariants: typing never waits for a comparison: bars move with the text and are worked out again after a pause. Nothing
 * here moves text: the old lines float over it.
 */
import { type Extension, Prec, RangeSet, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  type EditorView,
  GutterMarker,
  keymap,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { effect } from '@preact/signals';
import { changeMarks, type GutterMarks } from '../buffer/gutter.ts';
import type { Page } from '../shell/page.ts';
import { type ChangedPlace, changedPlaces, placeAt, stepPlace } from './change-hunk.ts';
import type { ChangeStore } from './change-store.ts';
import { committedLines } from './committed-lines.ts';

const pauseMs = 60;

class ChangeBar extends GutterMarker {
  readonly #kind: ChangedPlace['kind'];

  constructor(kind: ChangedPlace['kind']) {
    super();
    this.#kind = kind;
  }

  override eq(other: ChangeBar): boolean {
    return other.#kind === this.#kind;
  }

  override toDOM(): HTMLElement {
    const bar = document.createElement('span');
    bar.className = `change-bar ${this.#kind}`;
    bar.title = `${this.#kind === 'removed' ? 'Lines removed' : `Lines ${this.#kind}`} since the last commit`;
    return bar;
  }
}

interface Shown {
  /** Undefined: not known, or the last commit has no such text. */
  readonly committed: string | undefined;
  readonly places: readonly ChangedPlace[];
  readonly marks: GutterMarks;
  /** The place whose old lines are shown. */
  readonly open: ChangedPlace | undefined;
}

const nothing: Shown = { committed: undefined, places: [], marks: RangeSet.empty, open: undefined };

const setCommitted = StateEffect.define<string | undefined>();
const compareAgain = StateEffect.define<null>();
const setOpen = StateEffect.define<ChangedPlace | undefined>();

const field = StateField.define<Shown>({
  create: () => nothing,
  update: (shown, transaction) => {
    let next = shown;
    if (transaction.docChanged)
      next = { ...next, marks: next.marks.map(transaction.changes), open: undefined };
    for (const each of transaction.effects) {
      if (each.is(setCommitted)) next = compared(transaction.state.doc, each.value);
      else if (each.is(compareAgain)) next = compared(transaction.state.doc, next.committed);
      else if (each.is(setOpen)) next = { ...next, open: each.value };
    }
    return next;
  },
  provide: (own) => [
    changeMarks.of((view) => view.state.field(own).marks),
    showTooltip.from(own, ({ open }) => (open === undefined ? null : tooltipOf(open))),
  ],
});

function compared(doc: EditorView['state']['doc'], committed: string | undefined): Shown {
  if (committed === undefined) return nothing;
  const places = changedPlaces(committed, doc.toString());
  const marks = new RangeSetBuilder<GutterMarker>();
  for (const { kind, firstLine, endLine } of places) {
    const first = Math.min(firstLine, doc.lines - 1);
    for (let line = first; line < Math.max(endLine, first + 1) && line < doc.lines; line += 1) {
      const { from } = doc.line(line + 1);
      marks.add(from, from, new ChangeBar(kind));
    }
  }
  return { committed, places, marks: marks.finish(), open: undefined };
}

function tooltipOf(place: ChangedPlace): Tooltip {
  return {
    pos: place.from,
    above: true,
    strictSide: false,
    create: (view) => ({
      dom: committedLines(place, {
        revert: () => {
          const { from, to, old } = place;
          view.dispatch({ changes: { from, to, insert: old }, userEvent: 'revert.change' });
          view.focus();
        },
        close: () => {
          view.dispatch({ effects: setOpen.of(undefined) });
          view.focus();
        },
      }),
    }),
  };
}

export function changeGutter(page: Page, store: ChangeStore, path: string): Extension {
  return [
    field,
    ViewPlugin.define((view) => new Comparison(view, { page, store, path })),
    Prec.high(
      keymap.of([
        {
          key: 'Escape',
          run: (view) => {
            if (view.state.field(field).open === undefined) return false;
            view.dispatch({ effects: setOpen.of(undefined) });
            return true;
          },
        },
      ]),
    ),
  ];
}

/** Fetches the committed text, and compares after each pause in typing. */
class Comparison {
  readonly #view: EditorView;
  readonly #stop: () => void;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    view: EditorView,
    of: { readonly page: Page; readonly store: ChangeStore; readonly path: string },
  ) {
    this.#view = view;
    view.dom.addEventListener('mousedown', this.#click);
    this.#stop = effect(() => {
      const head = of.store.repository.value?.head;
      const isOnline = of.page.link.state.value.kind === 'online';
      if (isOnline) this.#fetch(of.page, head === undefined ? undefined : of.path);
    });
  }

  update({ docChanged }: ViewUpdate): void {
    if (!docChanged) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#view.dispatch({ effects: compareAgain.of(null) }), pauseMs);
  }

  destroy(): void {
    this.#stop();
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#view.dom.removeEventListener('mousedown', this.#click);
  }

  /** Without a path there is no commit to compare with. */
  #fetch(page: Page, path: string | undefined): void {
    this.#abort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const show = (text: string | undefined): void => {
      if (!abort.signal.aborted) this.#view.dispatch({ effects: setCommitted.of(text) });
    };
    const asked =
      path === undefined
        ? Promise.resolve(undefined)
        : page.link.request('git.texts', { path }, abort.signal).then(({ head }) => head);
    // A file whose commit cannot be read has no bars; the list of changes says why.
    asked.then(show, () => show(undefined));
  }

  readonly #click = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || event.target.closest('.cm-changeGutter') === null) return;
    const block = this.#view.lineBlockAtHeight(event.clientY - this.#view.documentTop);
    const { doc } = this.#view.state;
    const { places, open } = this.#view.state.field(field);
    const place = placeAt(places, doc.lineAt(block.from).number - 1, doc.lines);
    if (place === undefined) return;
    event.preventDefault();
    this.#view.dispatch({ effects: setOpen.of(place === open ? undefined : place) });
  };
}

/** Puts the caret at the next place that differs from the last commit, or at the one before. */
export function stepChange(view: EditorView, by: 1 | -1): void {
  const { doc, selection } = view.state;
  const { places } = view.state.field(field);
  const place = stepPlace(places, doc.lineAt(selection.main.head).number - 1, by);
  if (place === undefined) return;
  view.dispatch({ selection: { anchor: place.from }, scrollIntoView: true, userEvent: 'select.change' });
  view.focus();
}

/** Shows the old lines of the place at the caret, with the focus on its first button. */
export function showCommittedLines(view: EditorView): void {
  const { doc, selection } = view.state;
  const { places } = view.state.field(field);
  const place = placeAt(places, doc.lineAt(selection.main.head).number - 1, doc.lines);
  if (place === undefined) return;
  view.dispatch({ effects: setOpen.of(place) });
  view.dom.querySelector<HTMLElement>('.committed-lines button')?.focus();
}
