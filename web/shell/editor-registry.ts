/**
 * The text editors on the screen, so that commands and parts can reach the one in use.
 *
 * Invariants: an editor is registered while it is attached to the page. A place that is to be revealed in a file that is
 * not open yet waits until its editor is there.
 */
import type { EditorView } from '@codemirror/view';
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { askFocus } from './late-focus.ts';
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
  #wish: FocusWish | undefined;
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
    if (this.#wish?.path === editor.path && this.#wish.groupId === editor.groupId) {
      const { place, takeFocus } = this.#wish;
      this.#wish = undefined;
      if (place !== undefined) select(editor.view, place);
      takeFocus(() => editor.view.focus());
    }
    return () => {
      this.#shown.value = this.#shown.peek().filter(({ view }) => view !== editor.view);
    };
  }

  focused(view: EditorView): void {
    this.#last.value = view;
  }

  /** Gives the editor of a file in a group the focus, and puts its caret there, as soon as it is shown. */
  enter(file: { readonly path: string; readonly groupId: string }, place: Place | undefined): void {
    const { path, groupId } = file;
    const editor = this.#shown.peek().find((each) => each.path === path && each.groupId === groupId);
    this.#wish = editor === undefined ? { path, groupId, place, takeFocus: askFocus() } : undefined;
    if (editor === undefined) return;
    if (place !== undefined) select(editor.view, place);
    editor.view.focus();
  }
}

/** An editor that is not there yet is to have the focus. */
interface FocusWish {
  readonly path: string;
  readonly groupId: string;
  readonly place: Place | undefined;
  readonly takeFocus: ReturnType<typeof askFocus>;
}

function select(view: EditorView, { line, character, end }: Place): void {
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
}
