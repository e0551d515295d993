/**
 * Asks for something about the text when it is shown, and again when it has not changed for a while.
 *
 * Invariant: one question at a time; a question about a text that has changed is cancelled.
 */
import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { effect } from '@preact/signals';

export interface IdleFollowerOptions {
  readonly idleMs: number;
  readonly ask: (view: EditorView, signal: AbortSignal) => Promise<void>;
  /** What else makes an answer old: the window onto the text, or the caret. */
  readonly also?: 'viewport' | 'selection';
  /** Reads what else the answer depends on; the question is asked anew when one of these signals changes. */
  readonly follows?: () => unknown;
}

export function idleFollower(options: IdleFollowerOptions): Extension {
  return ViewPlugin.define((view) => new Follower(view, options));
}

class Follower {
  readonly #view: EditorView;
  readonly #options: IdleFollowerOptions;
  readonly #stop: () => void;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView, options: IdleFollowerOptions) {
    this.#view = view;
    this.#options = options;
    this.#stop = effect(() => {
      options.follows?.();
      this.#later(0);
    });
  }

  update(update: ViewUpdate): void {
    const { also, idleMs } = this.#options;
    const isOld =
      update.docChanged ||
      (also === 'viewport' && update.viewportChanged) ||
      (also === 'selection' && (update.selectionSet || update.focusChanged));
    if (isOld) this.#later(idleMs);
  }

  #later(delayMs: number): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#abort = new AbortController();
      this.#options.ask(this.#view, this.#abort.signal).catch(() => undefined);
    }, delayMs);
  }

  destroy(): void {
    this.#stop();
    this.#abort.abort();
    clearTimeout(this.#timer);
  }
}
