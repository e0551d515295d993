/**
 * Asks for a ghost when the user pauses, and ends the question with the next key.
 *
 * Invariant: at most one question of each layer is under way; an answer for another text or caret is dropped.
 */
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { GhostLayer } from '../../src/editor/protocol/ghost.ts';
import type { Page } from '../shell/page.ts';
import type { OpenFile } from '../shell/part.ts';
import { ghostField, showGhost } from './ghost-field.ts';

const delays: Readonly<Record<GhostLayer, number>> = { server: 75, model: 200 };

export function ghostAsker(page: Page, file: OpenFile): ViewPlugin<GhostAsker> {
  return ViewPlugin.define((view) => new GhostAsker(page, file, view));
}

class GhostAsker {
  readonly #page: Page;
  readonly #file: OpenFile;
  readonly #view: EditorView;
  #question: AbortController | undefined;

  constructor(page: Page, file: OpenFile, view: EditorView) {
    this.#page = page;
    this.#file = file;
    this.#view = view;
  }

  update({ transactions, state, docChanged, selectionSet }: ViewUpdate): void {
    if (!docChanged && !selectionSet) return;
    this.#question?.abort();
    // Text that comes from elsewhere, and going back over old text, ask for nothing.
    const isTyped = transactions.some((each) => each.isUserEvent('input') || each.isUserEvent('delete'));
    if (!docChanged || !isTyped || !state.selection.main.empty) return;
    if (state.field(ghostField, false) !== undefined) return;
    this.#question = new AbortController();
    for (const layer of ['server', 'model'] as const) this.#askLater(layer, this.#question.signal);
  }

  destroy(): void {
    this.#question?.abort();
  }

  #askLater(layer: GhostLayer, signal: AbortSignal): void {
    const timer = setTimeout(() => {
      // A ghost that cannot be had is no message: the next pause asks again.
      this.#ask(layer, signal).catch(() => undefined);
    }, delays[layer]);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  async #ask(layer: GhostLayer, signal: AbortSignal): Promise<void> {
    const { path } = this.#file;
    const document = this.#page.buffers.document(path);
    const view = this.#view;
    if (document === undefined || !this.#page.settings.isOn(`ghost.${layer}`)) return;
    await document.flush(signal);
    const at = view.state.selection.main.head;
    const count = document.changeCount;
    const version = document.version.peek();
    const { text } = await this.#page.link.request('ghost.ask', { path, version, offset: at, layer }, signal);
    const isSame = document.changeCount === count && view.state.selection.main.head === at && view.hasFocus;
    if (text === undefined || signal.aborted || !isSame) return;
    const shown = view.state.field(ghostField, false);
    // What is shown is only ever continued, never replaced under the eye of the reader.
    if (shown !== undefined && !text.startsWith(shown.text)) return;
    view.dispatch({ effects: showGhost.of({ at, text, layer }) });
  }
}
