/** The difference of two texts, drawn by CodeMirror. This file and the library arrive when the first difference is shown. */
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { codeColours, codeTheme } from '../buffer/code-theme.ts';
import { loadLanguage } from '../buffer/language.ts';

export type DiffForm = 'sides' | 'unified';

export interface DiffTexts {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly form: DiffForm;
}

export interface ShownDiff {
  readonly destroy: () => void;
}

/** Unchanged lines in a row that are folded, and those that stay around a change. */
const collapse = { margin: 3, minSize: 6 };

export function showDiff(parent: HTMLElement, { path, before, after, form }: DiffTexts): ShownDiff {
  const language = new Compartment();
  const extensions = (label: string): Extension => [
    lineNumbers(),
    codeTheme,
    codeColours,
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    language.of([]),
  ];
  const shown = form === 'sides' ? sides() : unified();
  let isGone = false;
  loadLanguage(path).then(
    (loaded) => {
      if (isGone || loaded === undefined) return;
      for (const view of shown.views) view.dispatch({ effects: language.reconfigure(loaded) });
    },
    // Without its colours a difference can still be read.
    () => undefined,
  );
  return {
    destroy: () => {
      isGone = true;
      shown.destroy();
    },
  };

  function sides(): { readonly views: readonly EditorView[]; readonly destroy: () => void } {
    const merge = new MergeView({
      parent,
      a: { doc: before, extensions: extensions('Before') },
      b: { doc: after, extensions: extensions('After') },
      gutter: true,
      collapseUnchanged: collapse,
    });
    return { views: [merge.a, merge.b], destroy: () => merge.destroy() };
  }

  function unified(): { readonly views: readonly EditorView[]; readonly destroy: () => void } {
    const merge = unifiedMergeView({
      original: before,
      mergeControls: false,
      gutter: true,
      collapseUnchanged: collapse,
    });
    const view = new EditorView({ parent, doc: after, extensions: [extensions('Difference'), merge] });
    return { views: [view], destroy: () => view.destroy() };
  }
}
