/**
 * The text editors on the screen, so that commands and parts can reach the one in use.
 *
 * Invariant: an editor is registered while it is attached to the page. A place that is to be revealed in a file that is
 * not open yet waits until its editor is there.
 */
import type { EditorView } from '@codemirror/view';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Place } from './place.ts';

export interface ShownEditor {
  readonly path: string;
  readonly groupId: string;
  readonly view: EditorView;
}

export interface CaretPlace {
  readonly line: number;
  readonly character: number;
  readonly selected: number;
}

export class EditorRegistry {
  readonly #shown = signal<readonly ShownEditor[]>([]);
  readonly #last = signal<EditorView | undefined>(undefined);
  #waiting: Place | undefined;
  #focus: string | undefined;
  /** The caret of the editor in use, for the status bar. */
  readonly caret = signal<CaretPlace | undefined>(undefined);

  /** `Spaces: 2`, of the editor in use. */
  readonly indent = signal('');
  /** The symbols around the caret, outermost first. */
  readonly symbolPath = signal<readonly { readonly name: string; readonly run: () => void }[]>([]);

  /** The editor that has, or last had, the focus. */
  readonly active: ReadonlySignal<ShownEditor | undefined> = computed(() => {
    const last = this.#last.value;
    return this.#shown.value.find(({ view }) => view === last);
  });

  get shown(): ReadonlySignal<readonly ShownEditor[]> {
    return this.#shown;
  }

  attach(editor: ShownEditor): () => void {
    this.#shown.value = [...this.#shown.peek(), editor];
    this.#last.value ??= editor.view;
    if (this.#waiting?.path === editor.path) {
      const place = this.#waiting;
      this.#waiting = undefined;
      show(editor.view, place);
    } else if (this.#focus === editor.path) editor.view.focus();
    this.#focus = undefined;
    return () => {
      this.#shown.value = this.#shown.peek().filter(({ view }) => view !== editor.view);
    };
  }

  focused(view: EditorView): void {
    this.#last.value = view;
  }

  /** Puts the caret there as soon as the file is shown, and gives it the focus. */
  reveal(place: Place): void {
    const editor = this.#preferred(place.path);
    if (editor === undefined) this.#waiting = place;
    else show(editor.view, place);
  }

  focusNext(path: string): void {
    const editor = this.#preferred(path);
    if (editor === undefined) this.#focus = path;
    else editor.view.focus();
  }

  #preferred(path: string): ShownEditor | undefined {
    const active = this.active.peek();
    return active?.path === path ? active : this.#shown.peek().find((each) => each.path === path);
  }
}

function show(view: EditorView, { line, character, end }: Place): void {
  const offset = (at: { readonly line: number; readonly character: number }): number => {
    const found = view.state.doc.line(Math.min(at.line + 1, view.state.doc.lines));
    return Math.min(found.from + at.character, found.to);
  };
  const anchor = offset({ line, character });
  view.dispatch({
    selection: { anchor, head: end === undefined ? anchor : offset(end) },
    scrollIntoView: true,
    userEvent: 'select.goto',
  });
  view.focus();
}
