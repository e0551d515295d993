/**
 * Matches of a regular expression, found in a thread of its own: while a text is searched, the editor goes on answering keys.
 *
 * Invariant: a question is answered, or its thread has ended: by its limit, by the caller's signal, or with its owner.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { Deadline } from '../../base/deadline.ts';

const foundMatches = z.array(
  z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      /** What its groups hold, the whole match first. */
      groups: z.array(z.string().optional()),
      named: z.record(z.string(), z.string().optional()),
    }),
  ),
);

export type TextMatch = Readonly<z.infer<typeof foundMatches>[number][number]>;

export interface MatchQuestion {
  readonly expression: Pick<RegExp, 'source' | 'flags'>;
  readonly texts: readonly string[];
  /** The most matches of one text. */
  readonly most: number;
}

export class ExpressionWorker implements AsyncDisposable {
  #worker: Worker | undefined;

  /** The matches of each text, in order, disjoint and not empty; undefined if that takes longer than the limit. */
  async matches(
    { expression: { source, flags }, texts, most }: MatchQuestion,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<readonly (readonly TextMatch[])[] | undefined> {
    // It needs none of the loaders that the process was started with.
    this.#worker ??= new Worker(program, { eval: true, execArgv: [] });
    const worker = this.#worker;
    using deadline = new Deadline(limitMs, signal);
    try {
      const answer = once(worker, 'message', { signal: deadline.signal });
      worker.postMessage({ source, flags, texts, most });
      const [found] = await answer;
      return foundMatches.parse(found);
    } catch (thrown) {
      await this[Symbol.asyncDispose]();
      if (deadline.expired) return undefined;
      throw thrown;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** What the thread runs, which nothing compiles. */
const program = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ source, flags, texts, most }) => {
  const expression = new RegExp(source, flags);
  const found = (text) => {
    const matches = [];
    for (const match of text.matchAll(expression)) {
      const [whole] = match;
      if (whole === '') continue;
      const { index: start, groups } = match;
      matches.push({ start, end: start + whole.length, groups: [...match], named: { ...groups } });
      if (matches.length >= most) break;
    }
    return matches;
  };
  parentPort.postMessage(texts.map(found));
});
`;
