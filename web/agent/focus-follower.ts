/**
 * Reports to the back end which file has the focus and what is selected in it, for the agent and its tools.
 *
 * Invariant: after `flush` the back end has the focus and the text of the focused file as they were at the call.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { neverAborts, type Page } from '../shell/page.ts';
import type { OpenFile } from '../shell/part.ts';

/** Often enough for a question that is typed next, and not with every key. */
const pauseMs = 100;

export class FocusFollower {
  readonly #page: Page;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What is not reported yet; undefined: nothing. */
  #waiting: (() => Promise<void>) | undefined;
  /** Reports are sent one after the other, so that the last one stands. */
  #sent: Promise<void> = Promise.resolve();

  constructor(page: Page) {
    this.#page = page;
  }

  extension({ path }: OpenFile): Extension {
    return EditorView.updateListener.of(({ view, selectionSet, focusChanged, docChanged }) => {
      if (!view.hasFocus || !(selectionSet || focusChanged || docChanged)) return;
      clearTimeout(this.#timer);
      this.#waiting = () => this.#report(path, view);
      // A page that is offline reports it with the next move of the caret.
      this.#timer = setTimeout(() => void this.flush().catch(() => undefined), pauseMs);
    });
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    const report = this.#waiting;
    this.#waiting = undefined;
    if (report) this.#sent = this.#sent.catch(() => undefined).then(report);
    return this.#sent;
  }

  async #report(path: string, view: EditorView): Promise<void> {
    await this.#page.buffers.document(path)?.flush(neverAborts);
    const { anchor, head } = view.state.selection.main;
    await this.#page.link.request('buffer.focus', { path, anchor, head }, neverAborts);
  }
}
