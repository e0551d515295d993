/**
 * The files of stored sessions: one directory per workspace, in it one directory per session.
 *
 * Invariant: a record is replaced as a whole and an outcome counts once its line is complete, so a crash leaves the
 * session as before or as after a change. A file that cannot be read is reported and not touched.
 */
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { restoreOverlay, spillOverlay } from '../overlay/spill.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { workspaceKey } from '../storage/workspace-key.ts';
import type { FileSource } from '../workspace/file-source.ts';
import {
  parseOutcomes,
  parseRecord,
  printOutcome,
  type SessionEnd,
  type SessionRecord,
  type StoredSession,
  wholeLines,
} from './session-record.ts';

/** Where a session is stored. */
export interface SessionFolder {
  readonly workspaceRoot: string;
  readonly id: string;
}

export class SessionArchive {
  readonly directory: string;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.directory = directory;
    this.#log = log;
  }

  /** Stores a record and, if given, its overlay. The overlay is complete before the record is written. */
  async write(record: SessionRecord, overlay?: Overlay): Promise<void> {
    const folder = this.folderOf(record);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (overlay) await spillOverlay(overlay, join(folder, overlayName));
    await replaceFile(join(folder, recordName), JSON.stringify(record));
  }

  /** Appends the outcome. The line decides: after a crash before it is complete, the session has not ended. */
  async end(session: SessionFolder, end: SessionEnd, mark: string): Promise<void> {
    const folder = this.folderOf(session);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await using file = await open(join(folder, outcomeName), 'a+', 0o600);
    // Removes a line that a crash cut short, so that the appended text does not complete it.
    await file.truncate(Buffer.byteLength(wholeLines(await file.readFile('utf8'))));
    await file.appendFile(printOutcome(end, mark));
    await file.datasync();
  }

  /** The file that records how a session ended. */
  outcomeFile(session: SessionFolder): string {
    return join(this.folderOf(session), outcomeName);
  }

  async dropOverlay(session: SessionFolder): Promise<void> {
    await rm(join(this.folderOf(session), overlayName), { recursive: true, force: true });
  }

  async forget(session: SessionFolder): Promise<void> {
    await rm(this.folderOf(session), { recursive: true, force: true });
  }

  async read(session: SessionFolder): Promise<StoredSession | undefined> {
    return this.#read(this.folderOf(session));
  }

  /** The session with this id, in any workspace. */
  async find(id: string): Promise<StoredSession | undefined> {
    if (!sessionName.test(id)) return undefined;
    for (const directory of await this.#workspaces()) {
      const found = await this.#read(join(directory, id));
      if (found) return found;
    }
    return undefined;
  }

  async list(): Promise<readonly StoredSession[]> {
    const directories = await this.#workspaces();
    const folders = await Promise.all(
      directories.map(async (directory) =>
        (await namesIn(directory))
          .filter((name) => sessionName.test(name))
          .map((name) => join(directory, name)),
      ),
    );
    const found = await Promise.all(folders.flat().map((folder) => this.#read(folder)));
    return found.filter((session) => session !== undefined);
  }

  overlayOf(session: SessionFolder, base: FileSource): Promise<Overlay> {
    return restoreOverlay(join(this.folderOf(session), overlayName), base);
  }

  folderOf({ workspaceRoot, id }: SessionFolder): string {
    return join(this.directory, workspaceKey(workspaceRoot), id);
  }

  async #read(folder: string): Promise<StoredSession | undefined> {
    try {
      const text = await textOf(join(folder, recordName));
      if (text === undefined) return undefined;
      const record = parseRecord(text);
      if (this.folderOf(record) !== folder) throw new Error('it belongs to another session or workspace');
      return { ...record, ...parseOutcomes((await textOf(join(folder, outcomeName))) ?? '') };
    } catch (thrown) {
      this.#log.warning('session.record-unreadable', {
        code: 'session/record-unreadable',
        folder,
        error: messageOf(thrown),
      });
      return undefined;
    }
  }

  async #workspaces(): Promise<readonly string[]> {
    const names = await namesIn(this.directory);
    return names.filter((name) => workspaceName.test(name)).map((name) => join(this.directory, name));
  }
}

const recordName = 'session.json';
const overlayName = 'overlay';
const outcomeName = 'outcome.jsonl';
const workspaceName = /^[0-9a-f]{16}$/;
const sessionName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (thrown) {
    if (isMissing(thrown)) return [];
    throw thrown;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}
