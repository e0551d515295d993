/** Types and parameter names that the server adds to the text for reading. They can be turned off. */
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import type { Page } from '../shell/page.ts';
import { askQuietly, offsetOf, positionAt } from './code-client.ts';
import { idleFollower } from './idle-follower.ts';

type Hint = ResultOf<'code.hints'>['hints'][number];

const showHints = StateEffect.define<DecorationSet>();

const hintField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(hints, transaction) {
    for (const each of transaction.effects) if (each.is(showHints)) return each.value;
    return transaction.docChanged ? hints.map(transaction.changes) : hints;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function inlayHints(page: Page, document: BufferDocument): Extension {
  return [
    hintField,
    idleFollower({
      idleMs: 500,
      also: 'viewport',
      follows: () => page.settings.isOn('code.hints'),
      ask: async (view, signal) => {
        if (!page.settings.isOn('code.hints')) {
          if (view.state.field(hintField).size > 0) view.dispatch({ effects: showHints.of(Decoration.none) });
          return;
        }
        const { from, to } = view.viewport;
        const range = { start: positionAt(view.state, from), end: positionAt(view.state, to) };
        const answer = await askQuietly(page, document, 'code.hints', { range }, signal);
        if (answer !== undefined) view.dispatch({ effects: showHints.of(widgetsOf(view, answer.hints)) });
      },
    }),
  ];
}

function widgetsOf(view: EditorView, hints: readonly Hint[]): DecorationSet {
  const widgets = hints.map((hint) =>
    Decoration.widget({ widget: new HintWidget(hint), side: hint.kind === 'parameter' ? -1 : 1 }).range(
      offsetOf(view.state, hint.position),
    ),
  );
  return Decoration.set(widgets, true);
}

class HintWidget extends WidgetType {
  readonly #hint: Hint;

  constructor(hint: Hint) {
    super();
    this.#hint = hint;
  }

  override eq(other: HintWidget): boolean {
    return other.#hint.label === this.#hint.label;
  }

  toDOM(): HTMLElement {
    const { label, paddingLeft, paddingRight } = this.#hint;
    const element = document.createElement('span');
    element.className = `cm-hint${paddingLeft ? ' before' : ''}${paddingRight ? ' after' : ''}`;
    element.setAttribute('aria-hidden', 'true');
    element.textContent = label;
    return element;
  }
}
