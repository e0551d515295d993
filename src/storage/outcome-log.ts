/**
 * What became of every speculation, as lines of JSON in a file of ours.
 *
 * Invariant: it holds counts, kinds and the hash of a workspace's root; never a path, a word that was typed or
 * suggested, or the content of a file.
 */
import { z } from 'zod';
import type { Log } from '../base/log.ts';
import { readAudit } from './audit-file.ts';
import { AuditLog } from './audit-log.ts';

const recordSchema = z.object({
  at: z.iso.datetime(),
  /** `resumed`: the user asked to go on in spite of a pause; what was learned before counts no more. */
  outcome: z.enum(['accepted', 'taken', 'aborted', 'silent', 'resumed']),
  /** A hash of the workspace's root, so that each is learned apart; absent in older records. */
  workspace: z.string().optional(),
  /** Why it was aborted, or why nothing was suggested. */
  reason: z.string().optional(),
  /** The kind of thing that was suggested. */
  class: z.string().optional(),
  /** How many suggestions lay before it when it ended. */
  ahead: z.number().int().min(0),
  boundary: z.string().optional(),
  /** Why it was shown and not worked on. */
  unworked: z.string().optional(),
  tool_uses: z.number().int().min(0),
  input_tokens: z.number().min(0),
  /** Absent where the provider does not say. */
  cached_tokens: z.number().min(0).optional(),
  cache_write_tokens: z.number().min(0),
  output_tokens: z.number().min(0),
  /** What it counts against a budget, at the prices of its provider; absent in older records. */
  counted_tokens: z.number().min(0).optional(),
  worked_ms: z.number().min(0),
  saved_ms: z.number().min(0),
});

export type OutcomeRecord = Readonly<z.infer<typeof recordSchema>>;

export interface OutcomeLogOptions {
  readonly path: string;
  readonly log: Log;
}

export class OutcomeLog implements AsyncDisposable {
  readonly #lines: AuditLog;

  constructor(options: OutcomeLogOptions) {
    this.#lines = new AuditLog({ ...options, maxBytes: 4 * 1024 * 1024, keptFiles: 2 });
  }

  /** Resolves when the record is taken; it is written soon after, and whoever disposes of the log waits for that. */
  record(outcome: OutcomeRecord): Promise<void> {
    return this.#lines.record(outcome);
  }

  /** What was recorded from a moment on, oldest first. */
  async since(from: Date): Promise<readonly OutcomeRecord[]> {
    await this.#lines.flush();
    return readOutcomes(this.#lines.path, from);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines[Symbol.asyncDispose]();
  }
}

/** The records of a file nobody needs to write to; none where there is no such file. */
export async function readOutcomes(path: string, from: Date): Promise<readonly OutcomeRecord[]> {
  const records: OutcomeRecord[] = [];
  for await (const line of readAudit(path)) {
    const parsed = recordSchema.safeParse(line);
    if (parsed.success && Date.parse(parsed.data.at) >= from.getTime()) records.push(parsed.data);
  }
  return records;
}
