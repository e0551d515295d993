/**
 * One view of a text file.
 *
 * Invariant: the view shows the text of its document for as long as it is on the screen; scroll place and selection are
 * kept when its tab is hidden and shown again.
 */
import { EditorSelection, type Extension, type StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Page } from '../shell/page.ts';
import type { OpenFile } from '../shell/part.ts';
import type { BufferDocument } from './buffer-document.ts';
import { editorExtensions } from './editor-extensions.ts';
import { LongLineNote } from './long-line-note.tsx';

export interface TextEditorProps {
  readonly page: Page;
  readonly document: BufferDocument;
  readonly path: string;
  readonly tabId: string;
}

interface Kept {
  readonly selection: unknown;
  readonly scroll: StateEffect<unknown>;
}

/** By tab. */
const keptViews = new Map<string, Kept>();

export function TextEditor({ page, document, path, tabId }: TextEditorProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = host.current;
    if (parent === null) return undefined;
    const kept = keptViews.get(tabId);
    const holder: { view?: EditorView } = {};
    const file: OpenFile = {
      get path() {
        return document.path;
      },
      view: () => holder.view,
    };
    const view = new EditorView({
      parent,
      doc: document.state.doc,
      extensions: [editorExtensions(page, document, file), partExtensions(page, file)],
      dispatchTransactions: (transactions, target) => document.dispatch(target, transactions),
      ...(kept !== undefined && { scrollTo: kept.scroll }),
    });
    holder.view = view;
    if (kept !== undefined) restoreSelection(view, kept);
    const detachDocument = document.attach(view);
    const group = parent.closest('[data-group]')?.getAttribute('data-group') ?? '';
    const detachEditor = page.editors.attach({
      get path() {
        return document.path;
      },
      groupId: group,
      view,
    });
    return () => {
      keptViews.set(tabId, { selection: view.state.selection.toJSON(), scroll: view.scrollSnapshot() });
      detachEditor();
      detachDocument();
      view.destroy();
    };
    // Another ending may mean another language.
  }, [document, tabId, endingOf(path)]);
  return (
    <>
      <LongLineNote document={document} />
      <div class="code-host" ref={host} />
    </>
  );
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function partExtensions(page: Page, file: OpenFile): Extension {
  return page.parts.peek().map((part) => part.editorExtension?.(file) ?? []);
}

/** The text may have grown shorter while the tab was hidden. */
function restoreSelection(view: EditorView, { selection }: Kept): void {
  const kept = EditorSelection.fromJSON(selection);
  const { length } = view.state.doc;
  if (kept.ranges.every(({ to }) => to <= length)) view.dispatch({ selection: kept });
}
