/**
 * What tools were called and what came of it, as lines of JSON in a file of ours.
 *
 * Invariants: a record that was accepted is written in the order it came; when the disk cannot keep up, whoever
 * records waits; what could not be written at all is counted, and the count is the next record that can be.
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
  /** A file that has grown beyond this is put aside; default 10 MiB. */
  readonly maxBytes?: number;
  /** How many files put aside are kept; default 5. */
  readonly keptFiles?: number;
  /** How many records may wait to be written before whoever records waits too; default 256. */
  readonly maxWaiting?: number;
}

export class AuditLog implements AsyncDisposable {
  readonly #options: Required<AuditLogOptions>;
  #waiting: string[] = [];
  /** Those who wait for room, first come first. */
  readonly #queue: Array<() => void> = [];
  #writing: Promise<void> | undefined;
  #lost = 0;

  constructor(options: AuditLogOptions) {
    this.#options = { maxBytes: 10 * 1024 * 1024, keptFiles: 5, maxWaiting: 256, ...options };
  }

  get path(): string {
    return this.#options.path;
  }

  /** Takes a record; resolves when there is room for it, which is at once unless the disk lags behind. */
  async record(line: JsonLine): Promise<void> {
    const text = printLine(line);
    while (this.#waiting.length >= this.#options.maxWaiting) {
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#waiting.push(text);
    this.#writing ??= this.#write();
  }

  /** Resolves when everything recorded so far is in the file. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  /** Writes until nothing waits. Never rejects: what goes wrong is logged and counted. */
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

  /** The file is opened for each batch, since another process may have put it aside meanwhile. */
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

  /** A file that cannot be put aside grows on; nothing is lost by that. */
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
