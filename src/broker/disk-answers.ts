/**
 * What the servers said of files as they are on the disk, kept for the next client that asks.
 *
 * Invariants: an answer is told again only to a client that shows nothing but the disk and has the same documents open,
 * and only while the disk is what it was when the answer was given; where it is not known what the disk holds, every
 * question goes to a server.
 */

import type { LiveWorkspace } from '../live/live-workspace.ts';
import { documentOf } from '../lsp/document-uri.ts';
import type { View } from './client-view.ts';

/** A question about the diagnostics of one document. */
export interface DiagnosticQuestion {
  readonly params: unknown;
  /** What the client showed when it asked. */
  readonly view: View;
}

/** So many are kept at most; beyond that it begins anew. */
const keptAnswers = 5000;

export class DiskAnswers {
  readonly #live: LiveWorkspace;
  readonly #known = new Map<string, unknown>();
  #epoch = 0;

  constructor(live: LiveWorkspace) {
    this.#live = live;
  }

  /** The answer that is known, or the one that `ask` gets. */
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

  /** Whether every document is what the disk holds, and nothing is hidden. */
  async #isDisk({ effect }: View): Promise<boolean> {
    for (const [path, content] of effect) {
      if (content === 'removed' || content.kind !== 'text') return false;
      if ((await this.#live.disk.text(path)) !== content.text) return false;
    }
    return true;
  }
}

/** A question that refers to an earlier answer is answered with what has changed since, which is nobody else's. */
function isWhole(params: unknown): boolean {
  return documentOf(params) !== undefined && !Object.hasOwn(Object(params), 'previousResultId');
}

/** What is open may decide which project a file is seen in. */
function keyOf(params: unknown, { documents }: View): string {
  return JSON.stringify([params, documents.map(({ uri }) => uri).sort()]);
}
