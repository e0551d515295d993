/**
 * Where the user is asked whether a call may be made.
 *
 * Invariants: one question at a time; it is answered by a key, or by the end of the turn it belongs to; what was typed
 * before it could be read answers nothing.
 */
import type { Ask, PermissionDecision } from '../agent/permission/permission-guard.ts';
import type { Key } from './prompt/key.ts';
import type { Stage } from './stage.ts';
import { decisionOf, permissionDetail } from './view/permission-view.ts';

export class PermissionDesk {
  readonly #stage: Stage;
  #answer: ((decision: PermissionDecision) => void) | undefined;
  /** When something was last typed ahead. */
  #typedAt = Number.NEGATIVE_INFINITY;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get isAsking(): boolean {
    return this.#answer !== undefined;
  }

  readonly ask: Ask = (request, signal) =>
    new Promise((resolve, reject) => {
      const close = (): void => {
        this.#answer = undefined;
        signal.removeEventListener('abort', give);
        this.#stage.update({ question: undefined });
      };
      const give = (): void => {
        close();
        reject(signal.reason);
      };
      this.#answer = (decision) => {
        close();
        resolve(decision);
      };
      signal.addEventListener('abort', give, { once: true });
      // Above the question there is room for all of it, however long it is.
      this.#stage.say(permissionDetail(request, this.#stage.writing.columns));
      this.#stage.update({ question: request });
    });

  press(key: Key): void {
    const { question } = this.#stage.state;
    if (!question || key.kind === 'paste') return;
    if (this.#isTyping() && key.kind === 'text') {
      this.noteTyping();
      return;
    }
    const word = key.kind === 'escape' ? 'n' : 'text' in key ? key.text : '';
    const decision = decisionOf(word, question);
    if (decision) this.#answer?.(decision);
  }

  /** Something was typed that was no answer. */
  noteTyping(): void {
    this.#typedAt = performance.now();
  }

  /** A question that appears in the middle of a word must not be answered by the rest of it. */
  #isTyping(): boolean {
    return performance.now() - this.#typedAt < typingPauseMs;
  }
}

/** Nobody who types pauses for so long between two letters. */
const typingPauseMs = 700;
