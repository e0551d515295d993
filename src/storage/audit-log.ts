/**
 * The log of tool calls and their outcomes, as lines of JSON.
 *
 * Invariants: accepted records are written in order; if the disk cannot keep up, callers of `record` wait; records
 * that could not be written are counted, and the count is the next record written.
 */

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { type JsonLine, printLine } from './json-line.ts';
import { rotate } from './rotation.ts';

export interface AuditLogOptions {
  readonly path: string;
  readonly log: Log;
  /** A larger file is rotated; default 10 MiB. */
  readonly maxBytes?: number;
  /** Number of rotated files kept; default 5. */
  readonly keptFiles?: number;
  /** Number of queued records at which `record` starts to wait; default 256. */
  readonly maxWaiting?: number;
}

export class AuditLog implements AsyncDisposable {
  readonly #options: Required<AuditLogOptions>;
  #waiting: string[] = [];
  /** Callers waiting for room, in order. */
  readonly #queue: Array<() => void> = [];
  #writing: Promise<void> | undefined;
  #lost = 0;

  constructor(options: AuditLogOptions) {
    this.#options = { maxBytes: 10 * 1024 * 1024, keptFiles: 5, maxWaiting: 256, ...options };
  }

  get path(): string {
    return this.#options.path;
  }

  /** Queues a record; resolves when there is room for it, which is at once unless the disk is slow. */
  async record(line: JsonLine): Promise<void> {
    const text = printLine(line);
    while (this.#waiting.length >= this.#options.maxWaiting) {
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#waiting.push(text);
    this.#writing ??= this.#write();
  }

  /** Resolves when all records so far are in the file. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  /** Writes until the queue is empty. Never rejects: failures are logged and counted. */
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      for (const proceed of this.#queue.splice(0, this.#options.maxWaiting)) proceed();
      try {
        await this.#append(batch);
      } catch (thrown) {
        this.#lost += batch.length;
        this.#options.log.error('audit.write-failed', {
          code: 'storage/audit-write-failed',
          lost: this.#lost,
          error: messageOf(thrown),
        });
      }
    }
    this.#writing = undefined;
  }

  /** The file is opened for each batch, since another process may have rotated it. */
  async #append(batch: readonly string[]): Promise<void> {
    const file = await openPrivately(this.#options.path);
    try {
      const lost = this.#lost > 0 ? [lossRecord(this.#lost)] : [];
      await file.appendFile([...lost, ...batch].join(''));
      this.#lost = 0;
      if ((await file.stat()).size >= this.#options.maxBytes) await this.#rotate();
    } finally {
      await file.close();
    }
  }

  /** A file that cannot be rotated grows; nothing is lost. */
  async #rotate(): Promise<void> {
    const { path, log } = this.#options;
    await rotate(path, this.#options).catch((thrown: unknown) => {
      log.warning('audit.rotation-failed', {
        code: 'storage/audit-rotation-failed',
        error: messageOf(thrown),
      });
    });
  }
}

function lossRecord(dropped: number): string {
  return printLine({ timestamp: new Date().toISOString(), dropped });
}

async function openPrivately(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'a', 0o600);
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return open(path, 'a', 0o600);
}
