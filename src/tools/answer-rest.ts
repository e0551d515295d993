/**
 * The rest of answers that were cut, for the caller to go on with.
 *
 * Invariants: a cursor always leads to the same part, however often it is asked for. The oldest rests are dropped when
 * there are too many.
 */
import { randomUUID } from 'node:crypto';
import { Failure } from '../base/failure.ts';
import type { ToolResult } from './tool-result.ts';

const mostKept = 64;

export class AnswerRests {
  readonly #rests = new Map<string, ToolResult['payload']>();

  /** Answers the cursor that leads to it. */
  keep(rest: ToolResult['payload']): string {
    const cursor = randomUUID().slice(0, 8);
    this.#rests.set(cursor, rest);
    for (const oldest of this.#rests.keys()) {
      if (this.#rests.size <= mostKept) break;
      this.#rests.delete(oldest);
    }
    return cursor;
  }

  at(cursor: string): ToolResult['payload'] {
    const rest = this.#rests.get(cursor);
    if (!rest) throw new UnknownCursor(cursor);
    return rest;
  }
}

export class UnknownCursor extends Failure {
  readonly code = 'tools/unknown-cursor';
  readonly remedy = 'Make the call again whose answer was cut, and go on with the cursor of its new answer.';

  constructor(cursor: string) {
    super(`no answer is kept for the cursor ${cursor}`);
  }
}
