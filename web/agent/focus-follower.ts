/** Tells the back end which file has the focus and what is selected in it, for the agent and its tools. */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { neverAborts, type Page } from '../shell/page.ts';
import type { OpenFile } from '../shell/part.ts';

/** Often enough for a question that is typed next, and not with every key. */
const pauseMs = 100;

export function focusFollower(page: Page, { path }: OpenFile): Extension {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return EditorView.updateListener.of(({ view, selectionSet, focusChanged, docChanged }) => {
    if (!view.hasFocus || !(selectionSet || focusChanged || docChanged)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { anchor, head } = view.state.selection.main;
      const told = async (): Promise<void> => {
        await page.buffers.document(path)?.flush(neverAborts);
        await page.link.request('buffer.focus', { path, anchor, head }, neverAborts);
      };
      // A page that is offline tells it with the next move of the caret.
      told().catch(() => undefined);
    }, pauseMs);
  });
}
