/**
 * Diagnostics in the text.
 *
 * Invariant: marks are shown for the present version of the text only. They vanish with the first changed character, and
 * come back with the answer for the text as it is.
 */
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view';
import { effect } from '@preact/signals';
import type { BufferDocument } from '../buffer/buffer-document.ts';
import { offsetsOf } from './code-client.ts';
import type { Diagnostic, DiagnosticStore } from './diagnostic-store.ts';

interface Shown {
  readonly items: readonly Diagnostic[];
  readonly marks: DecorationSet;
  /** The version that the server answered for; undefined while there is no answer for this text. */
  readonly version: number | undefined;
}

const none: Shown = { items: [], marks: Decoration.none, version: undefined };
const showDiagnostics = StateEffect.define<Pick<Shown, 'items' | 'version'>>();

const shownField = StateField.define<Shown>({
  create: () => none,
  update(shown, transaction) {
    const next = transaction.docChanged ? none : shown;
    const given = transaction.effects.find((each) => each.is(showDiagnostics));
    return given === undefined
      ? next
      : { ...given.value, marks: marksOf(transaction.state, given.value.items) };
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ marks }) => marks),
    EditorView.contentAttributes.from(field, ({ version }) => ({ 'data-checked': String(version ?? '') })),
  ],
});

/** Those that touch a place. */
export function diagnosticsAt(state: EditorState, offset: number): readonly Diagnostic[] {
  return (state.field(shownField, false)?.items ?? []).filter(({ range }) => {
    const { from, to } = offsetsOf(state, range);
    return offset >= from && offset <= Math.max(to, from + 1);
  });
}

export function diagnosticMarks(store: DiagnosticStore, document: BufferDocument): Extension {
  const follower = ViewPlugin.define((view) => {
    const stop = effect(() => {
      const found = store.files.value.get(document.path);
      const isCurrent = found?.version === document.version.value && document.isInStep;
      const shown = isCurrent && found?.proof !== 'none' ? found : undefined;
      // The view may be in the middle of an update that brought the version.
      queueMicrotask(() => {
        const { version } = view.state.field(shownField);
        if (!isAttached || (shown === undefined && version === undefined)) return;
        const { items = [] } = shown ?? {};
        view.dispatch({ effects: showDiagnostics.of({ items, version: shown?.version }) });
      });
    });
    let isAttached = true;
    return {
      destroy: () => {
        isAttached = false;
        stop();
      },
    };
  });
  return [shownField, follower];
}

const rank = { error: 3, warning: 2, info: 1, hint: 0 } as const;

function marksOf(state: EditorState, items: readonly Diagnostic[]): DecorationSet {
  const marks = items.map((item) => {
    const { from, to } = offsetsOf(state, item.range);
    // A place without a length is shown at its character, or at the one before at the end of a line.
    const line = state.doc.lineAt(from);
    const start = from === to && from === line.to ? Math.max(line.from, from - 1) : from;
    const end = Math.max(to, Math.min(start + 1, state.doc.length));
    return { start, end, item };
  });
  return Decoration.set(
    marks
      .filter(({ start, end }) => end > start)
      .sort((a, b) => rank[a.item.severity] - rank[b.item.severity])
      .map(({ start, end, item }) =>
        Decoration.mark({
          class: [
            'cm-diagnostic',
            `cm-diagnostic-${item.severity}`,
            ...(item.tags ?? []).map((tag) => `cm-${tag}`),
          ].join(' '),
        }).range(start, end),
      ),
    true,
  );
}
