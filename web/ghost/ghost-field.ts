/**
 * The ghost of one editor: text that is shown after the caret and is not there yet.
 *
 * Invariant: a ghost continues the text at its place. Typing along keeps it and makes it shorter; any other change, and
 * moving the caret away, ends it. It names the key that takes it now: the completion popup has Tab while it is open.
 */
import { completionStatus } from '@codemirror/autocomplete';
import { EditorSelection, StateEffect, StateField, type Transaction } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { GhostLayer } from '../../src/editor/protocol/ghost.ts';

export interface Ghost {
  readonly at: number;
  readonly text: string;
  readonly layer: GhostLayer;
}

/** A ghost, and whether the completion popup has Tab. */
interface ShownGhost extends Ghost {
  readonly key: 'Tab' | 'Alt ]';
}

export const showGhost = StateEffect.define<Ghost | undefined>();

export const ghostField: StateField<ShownGhost | undefined> = StateField.define<ShownGhost | undefined>({
  create: () => undefined,
  update: (shown, transaction) => {
    const ghost = ghostAfter(shown, transaction);
    if (ghost === undefined) return undefined;
    const key = completionStatus(transaction.state) === 'active' ? 'Alt ]' : 'Tab';
    return ghost === shown && key === shown.key ? shown : { ...ghost, key };
  },
  provide: (field) =>
    EditorView.decorations.from(field, (ghost) =>
      ghost === undefined
        ? Decoration.none
        : Decoration.set([Decoration.widget({ widget: new GhostWidget(ghost), side: 1 }).range(ghost.at)]),
    ),
});

function ghostAfter(ghost: Ghost | undefined, transaction: Transaction): Ghost | undefined {
  for (const effect of transaction.effects) if (effect.is(showGhost)) return effect.value;
  return ghost && typedAlong(ghost, transaction);
}

function typedAlong(ghost: Ghost, transaction: Transaction): Ghost | undefined {
  const { main, ranges } = transaction.state.selection;
  if (ranges.length > 1 || !main.empty) return undefined;
  if (!transaction.docChanged) return main.head === ghost.at ? ghost : undefined;
  let typed: string | undefined;
  transaction.changes.iterChanges((fromA, toA, _fromB, _toB, inserted) => {
    typed = typed === undefined && fromA === ghost.at && toA === ghost.at ? inserted.toString() : '\0';
  });
  if (typed === undefined || !ghost.text.startsWith(typed) || typed.length === ghost.text.length)
    return undefined;
  const at = ghost.at + typed.length;
  return main.head === at ? { ...ghost, at, text: ghost.text.slice(typed.length) } : undefined;
}

class GhostWidget extends WidgetType {
  readonly #text: string;
  readonly #key: string;

  constructor({ text, key }: ShownGhost) {
    super();
    this.#text = text;
    this.#key = key;
  }

  override eq(other: GhostWidget): boolean {
    return other.#text === this.#text && other.#key === this.#key;
  }

  override toDOM(view: EditorView): HTMLElement {
    const [first = '', ...others] = this.#text.split('\n');
    const host = document.createElement('span');
    host.className = 'ghost';
    host.setAttribute('aria-hidden', 'true');
    const line = view.state.doc.lineAt(view.state.selection.main.head);
    // Lines below are pushed down only by a ghost on an empty line.
    const isWhole = line.text.trim() === '';
    host.append(isWhole ? this.#text : first);
    if (!isWhole && others.length > 0)
      host.append(noteOf(`+${others.length} ${others.length === 1 ? 'line' : 'lines'}`));
    const key = document.createElement('kbd');
    key.className = 'k ghost-key';
    key.textContent = this.#key;
    host.append(key);
    return host;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function noteOf(words: string): HTMLElement {
  const note = document.createElement('span');
  note.className = 'tag ghost-key';
  note.textContent = words;
  return note;
}

/** How much of a ghost is taken. */
export type GhostPiece = 'all' | 'word' | 'line';

export function pieceOf(text: string, piece: GhostPiece): string {
  if (piece === 'all') return text;
  if (piece === 'word') return /^\s*(?:[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]+)/u.exec(text)?.[0] ?? text;
  const end = text.indexOf('\n', text.startsWith('\n') ? 1 : 0);
  return end < 0 ? text : text.slice(0, end);
}

/** Takes a piece of the ghost into the text; false if there is none. */
export function takeGhost(view: EditorView, piece: GhostPiece): boolean {
  const ghost = view.state.field(ghostField, false);
  if (ghost === undefined) return false;
  const text = pieceOf(ghost.text, piece);
  const rest = ghost.text.slice(text.length);
  const at = ghost.at + text.length;
  view.dispatch({
    changes: { from: ghost.at, insert: text },
    selection: EditorSelection.cursor(at),
    effects: showGhost.of(rest === '' ? undefined : { ...ghost, at, text: rest }),
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
  return true;
}
