/**
 * Cached answers of the servers about files on disk, shared by all clients.
 *
 * Invariants: an answer is reused only for a client that shows nothing but the disk and has the same documents open,
 * and only while the disk is unchanged since the answer was given. If the state of the disk is unknown, every request
 * goes to a server.
 */

import type { LiveWorkspace } from '../live/live-workspace.ts';
import { documentOf } from '../lsp/document.ts';
import type { View } from './client-view.ts';

/** A request for the diagnostics of one document. */
export interface DiagnosticQuestion {
  readonly params: unknown;
  /** The client's view when it sent the request. */
  readonly view: View;
}

/** The cache is cleared when it exceeds this size. */
const keptAnswers = 5000;

export class DiskAnswers {
  readonly #live: LiveWorkspace;
  readonly #known = new Map<string, unknown>();
  #epoch = 0;

  constructor(live: LiveWorkspace) {
    this.#live = live;
  }

  /** The cached answer, or the result of `ask`. */
  async answer(
    { params, view }: DiagnosticQuestion,
    ask: () => Promise<unknown>,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (!isWhole(params) || !(await this.#isDisk(view))) return ask();
    await this.#live.syncWithDisk(signal);
    const { epoch } = this.#live.disk;
    if (this.#live.isDiskStateUnknown || !(await this.#isDisk(view))) return ask();
    const key = keyOf(params, view);
    if (this.#epoch === epoch && this.#known.has(key)) return this.#known.get(key);
    const answer = await ask();
    if (this.#live.disk.epoch === epoch) this.#keep(key, answer, epoch);
    return answer;
  }

  #keep(key: string, answer: unknown, epoch: number): void {
    if (this.#epoch !== epoch || this.#known.size >= keptAnswers) this.#known.clear();
    this.#epoch = epoch;
    this.#known.set(key, answer);
  }

  /** Whether every document equals its file on disk, and nothing is hidden. */
  async #isDisk({ effect }: View): Promise<boolean> {
    for (const [path, content] of effect) {
      if (content === 'removed' || content.kind !== 'text') return false;
      if ((await this.#live.disk.text(path)) !== content.text) return false;
    }
    return true;
  }
}

/** A request with a previous result id is answered with the difference, which is useless to other clients. */
function isWhole(params: unknown): boolean {
  return documentOf(params) !== undefined && !Object.hasOwn(Object(params), 'previousResultId');
}

/** The open documents may decide which project a file is checked in. */
function keyOf(params: unknown, { documents }: View): string {
  return JSON.stringify([params, documents.map(({ uri }) => uri).sort()]);
}
