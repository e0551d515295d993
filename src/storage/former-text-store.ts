/**
 * The texts of files before an agent edited them, kept from one call of its hook to the next.
 *
 * Invariant: an entry is of one session of one agent, and has the text of the file at the time it was kept. `keepFirst`
 * never replaces an entry, `keepLatest` always does.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf, isMissing } from '../base/errno.ts';
import { sha256 } from './hash.ts';
import { statePlaces } from './own-places.ts';
import { replaceFile } from './replace-file.ts';
import { makePrivateDirectory } from './user-directories.ts';

export interface RecordedText {
  /** Absolute. */
  readonly filePath: string;
  /** The path as the agent wrote it. */
  readonly given: string;
  /** Undefined if there was no file. */
  readonly text: string | undefined;
}

const stored = z.object({ filePath: z.string(), given: z.string(), text: z.string().nullable() });

export class FormerTextStore {
  readonly #directory: string;

  constructor(stateDirectory: string, session: string) {
    this.#directory = join(statePlaces.editRecords(stateDirectory), sha256(session).slice(0, 32));
  }

  async keepFirst(file: Omit<RecordedText, 'text'>): Promise<void> {
    const entry = await this.#entryOf(file);
    await writeFile(entry.file, entry.text, { flag: 'wx', mode: 0o600 }).catch((thrown: unknown) => {
      if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    });
  }

  async keepLatest(file: Omit<RecordedText, 'text'>): Promise<void> {
    const entry = await this.#entryOf(file);
    await replaceFile(entry.file, entry.text);
  }

  async list(): Promise<readonly RecordedText[]> {
    const names = await readdir(this.#directory).catch((thrown: unknown) => {
      if (isMissing(thrown)) return [];
      throw thrown;
    });
    const texts = names.sort().map((name) => readFile(join(this.#directory, name), 'utf8'));
    return (await Promise.all(texts)).map((text) => {
      const { text: former, ...file } = stored.parse(JSON.parse(text));
      return { ...file, text: former ?? undefined };
    });
  }

  async clear(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #entryOf(
    file: Omit<RecordedText, 'text'>,
  ): Promise<{ readonly file: string; readonly text: string }> {
    makePrivateDirectory(this.#directory);
    const text = await readFile(file.filePath, 'utf8').catch((thrown: unknown) => {
      if (isMissing(thrown)) return null;
      throw thrown;
    });
    const name = `${sha256(file.filePath).slice(0, 16)}.json`;
    return { file: join(this.#directory, name), text: JSON.stringify({ ...file, text }) };
  }
}
