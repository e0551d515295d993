/**
 * One conversation as lines of JSON in an append-only file.
 *
 * Invariants: an entry whose `append` has resolved survives a crash of the process and power loss; entries are in the
 * order they were given; an incomplete last line was never acknowledged, and is removed before the next one is
 * written.
 */

import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../base/errno.ts';
import { Failure, messageOf } from '../base/failure.ts';
import { type JsonLine, parseLine, printLine } from './json-line.ts';

export class Transcript implements AsyncDisposable {
  readonly path: string;
  #file: FileHandle | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Resolves when the entries are on disk: all of them or, after a failure, none. */
  append(...entries: readonly JsonLine[]): Promise<void> {
    const text = entries.map(printLine).join('');
    const write = (): Promise<void> => this.#write(text);
    const written = this.#last.then(write, write);
    // The caller receives the failure; later entries are still written.
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Every entry, oldest first. Unreadable lines are skipped. */
  async read(): Promise<readonly JsonLine[]> {
    await this.#last;
    return readEntries(this.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #write(text: string): Promise<void> {
    let size: number | undefined;
    try {
      this.#file ??= await openForAppending(this.path);
      size = (await this.#file.stat()).size;
      await this.#file.appendFile(text);
      await this.#file.datasync();
    } catch (thrown) {
      // Complete lines of a failed write would be read as valid; an incomplete line is removed at the latest when the
      // file is opened again.
      if (size !== undefined) await this.#file?.truncate(size).catch(() => undefined);
      await this.#file?.close().catch(() => undefined);
      this.#file = undefined;
      throw new TranscriptUnwritable(this.path, thrown);
    }
  }
}

/** The entries of a transcript that is not open; empty if there is no such file. */
export async function readEntries(path: string): Promise<readonly JsonLine[]> {
  const file = await open(path, 'r').catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  if (!file) return [];
  try {
    // Text after the last line end was never acknowledged, even if it parses as an entry.
    const lines = (await file.readFile('utf8')).split('\n').slice(0, -1);
    return lines.map(parseLine).filter((entry) => entry !== undefined);
  } finally {
    await file.close();
  }
}

class TranscriptUnwritable extends Failure {
  readonly code = 'storage/transcript-unwritable';
  readonly remedy = 'Free disk space, and make sure that the directory is writable.';

  constructor(path: string, cause: unknown) {
    super(`the conversation cannot be stored at ${path}: ${messageOf(cause)}`, { cause });
  }
}

async function openForAppending(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a+', 0o600);
  try {
    await dropTornLine(file);
    await syncDirectory(dirname(path));
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** Without this, a new file may disappear after power loss, even if its content was written. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

const chunkBytes = 64 * 1024;

/** Searches backwards for the last line end, and truncates the file after it. */
async function dropTornLine(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - chunkBytes);
    const buffer = Buffer.alloc(end - start);
    await file.read(buffer, 0, buffer.length, start);
    const newline = buffer.lastIndexOf(0x0a);
    if (newline >= 0) {
      end = start + newline + 1;
      break;
    }
    end = start;
  }
  if (end < size) await file.truncate(end);
}
