/**
 * One view of a text file.
 *
 * Invariant: the view shows the text of its document for as long as it is on the screen; scroll place, selection and what can
 * be undone are kept when its tab is hidden or closed, and shown again.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Page } from '../shell/page.ts';
import type { OpenFile } from '../shell/part.ts';
import type { BufferDocument } from './buffer-document.ts';
import { editorExtensions } from './editor-extensions.ts';
import { beginView, keepView } from './kept-view.ts';
import { LongLineNote } from './long-line-note.tsx';

export interface TextEditorProps {
  readonly page: Page;
  readonly document: BufferDocument;
  readonly path: string;
  readonly tabId: string;
}

export function TextEditor({ page, document, path, tabId }: TextEditorProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  // Passive effects begin and end after the next paint: until then a view that is gone would count as shown.
  useLayoutEffect(() => {
    const parent = host.current;
    if (parent === null) return undefined;
    const holder: { view?: EditorView } = {};
    const file: OpenFile = {
      get path() {
        return document.path;
      },
      view: () => holder.view,
    };
    const extensions = [editorExtensions(page, document, file), partExtensions(page, file)];
    const view = new EditorView({
      ...beginView(tabId, document, extensions),
      parent,
      dispatchTransactions: (transactions, target) => document.dispatch(target, transactions),
    });
    holder.view = view;
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
      keepView(tabId, document, view);
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
