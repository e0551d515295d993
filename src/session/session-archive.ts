/**
 * Sessions kept in a directory of ours, so that they outlive the process.
 *
 * Invariant: a record is replaced as a whole; what a crash left half-written is never taken for a session.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../base/errno.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { restoreOverlay, spillOverlay } from '../overlay/spill.ts';
import { type LanguageId, languageId } from '../servers/language.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { EditRecord, Session, SessionId } from './session.ts';
import { isLive } from './session-state.ts';

export interface SessionRecord {
  readonly version: 1;
  readonly id: SessionId;
  readonly workspaceRoot: string;
  readonly language: LanguageId;
  readonly createdAt: number;
  readonly state: string;
  readonly edits: readonly EditRecord[];
}

export class SessionArchive {
  readonly #directory: string;
  readonly #log: Log;

  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#log = log;
  }

  /** Keeps a session as it is now; one that has ended is forgotten. */
  async keep(session: Session): Promise<void> {
    if (!isLive(session.state)) return this.forget(session.id);
    try {
      await this.#write(session);
    } catch (thrown) {
      // A session that rested for long may be removed by another process while it is taken up again.
      if (!isMissing(thrown)) throw thrown;
      await this.#write(session);
    }
  }

  async #write(session: Session): Promise<void> {
    const folder = this.#folder(session.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await spillOverlay(session.overlay, join(folder, 'overlay'));
    const record: SessionRecord = {
      version: 1,
      id: session.id,
      workspaceRoot: session.workspace.root,
      language: session.language,
      createdAt: session.createdAt,
      state: session.state.kind,
      edits: session.edits,
    };
    const written = join(folder, 'session.json.new');
    await writeFile(written, JSON.stringify(record), { mode: 0o600 });
    await rename(written, join(folder, 'session.json'));
  }

  async forget(id: string): Promise<void> {
    await rm(this.#folder(id), { recursive: true, force: true });
  }

  async find(id: string): Promise<SessionRecord | undefined> {
    // An id is a name we made up; anything else could name a folder elsewhere.
    if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
    try {
      return parseRecord(JSON.parse(await readFile(join(this.#folder(id), 'session.json'), 'utf8')));
    } catch (thrown) {
      this.#log.debug('session.record-unreadable', { session_id: id, error: messageOf(thrown) });
      return undefined;
    }
  }

  overlayOf(id: SessionId, base: FileSource): Promise<Overlay> {
    return restoreOverlay(join(this.#folder(id), 'overlay'), base);
  }

  async list(): Promise<readonly SessionRecord[]> {
    const names = await readdir(this.#directory).catch(() => []);
    const records = await Promise.all(names.map((name) => this.find(name)));
    return records.filter((record) => record !== undefined);
  }

  #folder(id: string): string {
    return join(this.#directory, id);
  }
}

function parseRecord(raw: unknown): SessionRecord | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const record = raw as Partial<SessionRecord>;
  if (record.version !== 1 || typeof record.id !== 'string' || typeof record.workspaceRoot !== 'string')
    return undefined;
  if (typeof record.language !== 'string' || !Array.isArray(record.edits)) return undefined;
  return {
    version: 1,
    id: record.id,
    workspaceRoot: record.workspaceRoot,
    language: languageId(record.language),
    createdAt: Number(record.createdAt) || 0,
    state: String(record.state),
    edits: record.edits,
  };
}
