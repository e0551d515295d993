/**
 * What a chat looks like at this moment, kept on the screen.
 *
 * Invariant: what is drawn is always what the state says; changes that come together are drawn once.
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

  /** How texts are to be written here. One column stays free, for terminals that break a line that is just full. */
  get writing(): MarkdownOptions {
    const marks = this.#screen.colour === 'plain' ? 'written' : 'styled';
    return { columns: this.#screen.size.columns - 1, marks };
  }

  update(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change };
    this.#drawing ??= setImmediate(() => this.redraw());
  }

  /** Adds to what was said; lines that are too long are broken. */
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
