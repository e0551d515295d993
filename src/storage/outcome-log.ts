/**
 * The outcome of every speculation, as lines of JSON.
 *
 * Invariant: it contains counts, kinds and the hash of a workspace root; never a path, typed or suggested text, or
 * file contents.
 */
import { z } from 'zod';
import type { Log } from '../base/log.ts';
import { readAudit } from './audit-file.ts';
import { AuditLog } from './audit-log.ts';

const recordSchema = z.object({
  at: z.iso.datetime(),
  /** `resumed`: the user ended a pause; earlier records no longer count. */
  outcome: z.enum(['accepted', 'taken', 'aborted', 'silent', 'resumed']),
  /** A hash of the workspace root, so that workspaces are learned separately; absent in older records. */
  workspace: z.string().optional(),
  /** Why it was aborted, or why nothing was suggested. */
  reason: z.string().optional(),
  /** The kind of suggestion. */
  class: z.string().optional(),
  /** The number of suggestions before it in the queue when it ended. */
  ahead: z.number().int().min(0),
  boundary: z.string().optional(),
  /** Why the suggestion was shown without running ahead. */
  unworked: z.string().optional(),
  tool_uses: z.number().int().min(0),
  input_tokens: z.number().min(0),
  /** Absent if the provider does not report it. */
  cached_tokens: z.number().min(0).optional(),
  cache_write_tokens: z.number().min(0),
  output_tokens: z.number().min(0),
  /** The cost against a budget, at the prices of its provider; absent in older records. */
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

  /** Resolves when the record is queued; it is written soon after, and disposal of the log waits for that. */
  record(outcome: OutcomeRecord): Promise<void> {
    return this.#lines.record(outcome);
  }

  /** The records since a time, oldest first. */
  async since(from: Date): Promise<readonly OutcomeRecord[]> {
    await this.#lines.flush();
    return readOutcomes(this.#lines.path, from);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines[Symbol.asyncDispose]();
  }
}

/** The records of a file, without opening it for writing; empty if there is no such file. */
export async function readOutcomes(path: string, from: Date): Promise<readonly OutcomeRecord[]> {
  const records: OutcomeRecord[] = [];
  for await (const line of readAudit(path)) {
    const parsed = recordSchema.safeParse(line);
    if (parsed.success && Date.parse(parsed.data.at) >= from.getTime()) records.push(parsed.data);
  }
  return records;
}
