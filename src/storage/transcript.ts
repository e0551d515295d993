/**
 * One conversation as lines of JSON in a file of ours, added to and never rewritten.
 *
 * Invariants: an entry whose `append` has resolved survives the death of the process and the loss of power; entries
 * are in the file in the order they were given; a last line that a crash cut short was never acknowledged, and is
 * taken off before the next one is written.
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

  /** Resolves when the entries are on the disk, all of them or, after a failure, none that counts. */
  append(...entries: readonly JsonLine[]): Promise<void> {
    const text = entries.map(printLine).join('');
    const write = (): Promise<void> => this.#write(text);
    const written = this.#last.then(write, write);
    // Whoever asked hears of a failure; the next entry is written all the same.
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Every entry, oldest first. A line that cannot be read is left out. */
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
      // Whole lines of a write that failed would be read as if it had not; half a line goes at the latest when the
      // file is opened again.
      if (size !== undefined) await this.#file?.truncate(size).catch(() => undefined);
      await this.#file?.close().catch(() => undefined);
      this.#file = undefined;
      throw new TranscriptUnwritable(this.path, thrown);
    }
  }
}

/** The entries of a transcript nobody writes to; none where there is no such file. */
export async function readEntries(path: string): Promise<readonly JsonLine[]> {
  const file = await open(path, 'r').catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  if (!file) return [];
  try {
    // What follows the last end of a line was never acknowledged, even where it reads like an entry.
    const lines = (await file.readFile('utf8')).split('\n').slice(0, -1);
    return lines.map(parseLine).filter((entry) => entry !== undefined);
  } finally {
    await file.close();
  }
}

class TranscriptUnwritable extends Failure {
  readonly code = 'storage/transcript-unwritable';
  readonly remedy = 'Check that there is room on the disk and that the directory may be written to.';

  constructor(path: string, cause: unknown) {
    super(`the conversation cannot be kept at ${path}: ${messageOf(cause)}`, { cause });
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

/** Without this a new file may be gone after a loss of power, however well its content was written. */
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

/** Looks for the last end of a line from the end of the file on, and cuts off what follows it. */
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
