/**
 * What a view of a file leaves for the next one: selection, scroll place and what can be undone.
 *
 * Invariants: what is kept belongs to the text that the document has. It follows the changes of others while no view shows the
 * file, and is dropped if the text became another while the file was closed. So much is kept and no more.
 */
import { history, historyField } from '@codemirror/commands';
import { EditorState, type Extension, type StateEffect } from '@codemirror/state';
import type { EditorView, EditorViewConfig } from '@codemirror/view';
import type { BufferDocument } from './buffer-document.ts';

interface KeptView {
  readonly path: string;
  /** The text with its history; the document keeps it in step. */
  readonly state: () => EditorState;
  readonly stop: () => void;
  readonly scroll: StateEffect<unknown>;
}

const fields = { history: historyField };

/** By tab, the last one at the end. */
const kept = new Map<string, KeptView>();
const mostKept = 50;

/** The view is about to be destroyed. */
export function keepView(tabId: string, document: BufferDocument, view: EditorView): void {
  const state = EditorState.fromJSON(
    view.state.toJSON(fields),
    { extensions: [history(), EditorState.allowMultipleSelections.of(true)] },
    fields,
  );
  take(tabId);
  kept.set(tabId, { path: document.path, ...document.follow(state), scroll: view.scrollSnapshot() });
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) take(oldest);
}

/** How a new view of a document begins: as that of its tab ended, or as the last one of a tab that was closed. */
export function beginView(
  tabId: string,
  document: BufferDocument,
  extensions: Extension,
): Pick<EditorViewConfig, 'state' | 'scrollTo'> {
  const { path } = document;
  const last = [...kept].findLast(([, each]) => each.path === path)?.[0];
  const found = take(kept.has(tabId) ? tabId : last);
  const { doc } = document.state;
  if (found === undefined || !found.state().doc.eq(doc)) {
    return { state: EditorState.create({ doc, extensions }) };
  }
  return {
    state: EditorState.fromJSON(found.state().toJSON(fields), { extensions }, fields),
    scrollTo: found.scroll,
  };
}

function take(tabId: string | undefined): KeptView | undefined {
  const found = tabId === undefined ? undefined : kept.get(tabId);
  if (tabId !== undefined) kept.delete(tabId);
  found?.stop();
  return found;
}
