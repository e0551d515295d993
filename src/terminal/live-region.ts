/**
 * The part of the screen that shows the current state of a chat.
 *
 * Invariant: the drawing always matches the state; changes made together are drawn once.
 */
import type { StyledLine } from './line/styled-line.ts';
import { wrapLines } from './line/wrapped-line.ts';
import type { MarkdownOptions } from './markdown/markdown-stream.ts';
import type { Screen } from './screen.ts';
import { type LiveState, liveView } from './view/live-view.ts';

export class LiveRegion implements Disposable {
  readonly #screen: Screen;
  #state: LiveState;
  #drawing: NodeJS.Immediate | undefined;

  constructor(screen: Screen, state: LiveState) {
    this.#screen = screen;
    this.#state = state;
    this.redraw();
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Options for rendering text. One column stays free, because some terminals wrap a line that is exactly full. */
  get writing(): MarkdownOptions {
    const marks = this.#screen.colour === 'plain' ? 'written' : 'styled';
    return { columns: this.#screen.size.columns - 1, marks };
  }

  update(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change };
    this.#drawing ??= setImmediate(() => this.redraw());
  }

  /** Prints lines above the live region; long lines are wrapped. */
  say(lines: readonly StyledLine[]): void {
    const shown = wrapLines(lines, { columns: this.writing.columns });
    this.#settle();
    this.#screen.print(shown, this.#view());
  }

  clear(): void {
    this.#settle();
    this.#screen.clear(this.#view());
  }

  redraw(): void {
    this.#settle();
    this.#screen.show(this.#view());
  }

  [Symbol.dispose](): void {
    this.#settle();
    this.#screen.leave();
  }

  #view(): ReturnType<typeof liveView> {
    return liveView(this.#state, this.#screen.size);
  }

  #settle(): void {
    clearImmediate(this.#drawing);
    this.#drawing = undefined;
  }
}
