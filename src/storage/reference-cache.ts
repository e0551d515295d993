/**
 * Answers of language servers for one workspace, stored for later questions and processes.
 *
 * An answer is stored under its question and the fingerprint of its dependencies. A lookup computes the fingerprint
 * again, so entries never need to be invalidated. Answers under old fingerprints stay until space is needed: a branch
 * that is checked out again finds them.
 *
 * Invariant: losing the cache costs only time. A failure of its file is logged once; from then on, lookups find
 * nothing and nothing is stored.
 */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { packAnswers, unpackAnswers } from './cache-artifact.ts';
import { createTables, hasOurTables, holdsTogether } from './cache-schema.ts';
import { type Database, openDatabase, type Row } from './database.ts';

export interface KeptAnswer {
  /** The question and the server. */
  readonly key: string;
  /** All dependencies of the answer. */
  readonly fingerprint: string;
  readonly value: string;
}

/** Facts read from a file, valid while its stamp is unchanged. */
export interface KeptFacts {
  readonly path: string;
  readonly stamp: string;
  readonly value: string;
}

export interface ReferenceCacheOptions {
  /** A private directory for this cache. */
  readonly directory: string;
  readonly log: Log;
  /** Above this many bytes of answers, the least recently used ones are removed. */
  readonly maxBytes?: number;
}

export class ReferenceCache implements Disposable {
  readonly #directory: string;
  readonly #log: Log;
  readonly #maxBytes: number;
  /** Entries used since the last write; reading alone never writes. */
  readonly #used = new Map<string, readonly [key: string, fingerprint: string]>();
  #database: Database | undefined;
  #latest = 0;

  /** Undefined if there can be no cache. */
  static async open(options: ReferenceCacheOptions): Promise<ReferenceCache | undefined> {
    const { directory, log } = options;
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await chmod(directory, 0o700);
      return new ReferenceCache(options, await openOrRebuild(join(directory, fileName), log));
    } catch (thrown) {
      log.warning('cache.absent', { directory, code: 'storage/cache-absent', error: messageOf(thrown) });
      return undefined;
    }
  }

  private constructor(
    { directory, log, maxBytes = defaultMaxBytes }: ReferenceCacheOptions,
    database: Database,
  ) {
    this.#directory = directory;
    this.#log = log;
    this.#maxBytes = maxBytes;
    this.#database = database;
  }

  /** The number of stored answers. */
  get size(): number {
    return this.#safely(0, (database) => Number(database.all('SELECT count(*) AS n FROM answers')[0]?.n));
  }

  answer(key: string, fingerprint: string): string | undefined {
    return this.#safely(undefined, (database) => {
      const sql = 'SELECT value FROM answers WHERE key = ? AND fingerprint = ?';
      const value = textIn(database.all(sql, key, fingerprint)[0], 'value');
      if (value !== undefined) this.#used.set(`${key}\0${fingerprint}`, [key, fingerprint]);
      return value;
    });
  }

  keep(answers: readonly KeptAnswer[]): void {
    if (answers.length === 0) return;
    this.#write((database) => {
      const now = this.#now();
      for (const { key, fingerprint, value } of answers) {
        const sql = 'INSERT OR REPLACE INTO answers (key, fingerprint, value, used) VALUES (?, ?, ?, ?)';
        database.run(sql, key, fingerprint, value, now);
      }
      this.#makeRoom(database);
    });
  }

  /** All facts about the files of one family. */
  facts(family: string): readonly KeptFacts[] {
    return this.#safely([], (database) =>
      database.all('SELECT path, stamp, value FROM facts WHERE family = ?', family).flatMap((row) => {
        const [path, stamp, value] = ['path', 'stamp', 'value'].map((column) => textIn(row, column));
        return path === undefined || stamp === undefined || value === undefined ? [] : { path, stamp, value };
      }),
    );
  }

  keepFacts(family: string, changed: readonly KeptFacts[], gone: readonly string[]): void {
    if (changed.length + gone.length === 0) return;
    this.#write((database) => {
      for (const { path, stamp, value } of changed) {
        const sql = 'INSERT OR REPLACE INTO facts (family, path, stamp, value) VALUES (?, ?, ?, ?)';
        database.run(sql, family, path, stamp, value);
      }
      for (const path of gone) database.run('DELETE FROM facts WHERE family = ? AND path = ?', family, path);
    });
  }

  /** The version that a program reported when it last ran, if it is the same program. */
  versionOf(program: string): string | undefined {
    return this.#safely(undefined, (database) =>
      textIn(database.all('SELECT version FROM programs WHERE program = ?', program)[0], 'version'),
    );
  }

  keepVersion(program: string, version: string): void {
    this.#write((database) =>
      database.run('INSERT OR REPLACE INTO programs (program, version) VALUES (?, ?)', program, version),
    );
  }

  /** All answers as one portable file, and their number. */
  async pack(signal: AbortSignal): Promise<{ readonly bytes: Uint8Array; readonly size: number }> {
    const scratch = this.#scratch();
    try {
      const { size } = this;
      this.#open.run('VACUUM INTO ?', scratch);
      return { bytes: await packAnswers(scratch, signal), size };
    } finally {
      removeDatabase(scratch);
    }
  }

  /** Replaces all answers with those of a packed file; an invalid file is refused and changes nothing. */
  async unpack(packed: Uint8Array, signal: AbortSignal): Promise<number> {
    const scratch = this.#scratch();
    try {
      const answers = await unpackAnswers(packed, scratch, signal);
      const database = this.#open;
      // Other processes may have the file open, so it is not replaced: its contents are, in one transaction.
      database.transaction(() => {
        database.exec('DELETE FROM answers');
        const sql = 'INSERT INTO answers (key, fingerprint, value, used) VALUES (?, ?, ?, ?)';
        for (const { key, fingerprint, value } of answers) database.run(sql, key, fingerprint, value, 0);
        this.#makeRoom(database);
      });
      return this.size;
    } finally {
      removeDatabase(scratch);
    }
  }

  [Symbol.dispose](): void {
    if (this.#used.size > 0) this.#write(() => undefined);
    this.#database?.[Symbol.dispose]();
    this.#database = undefined;
  }

  /** The database, for explicit requests, which must report a failure. */
  get #open(): Database {
    if (!this.#database) throw new CacheLost();
    return this.#database;
  }

  #scratch(): string {
    return join(this.#directory, `${randomUUID()}.tmp`);
  }

  #write(work: (database: Database) => void): void {
    this.#safely(undefined, (database) => {
      database.transaction(() => {
        const now = this.#now();
        const sql = 'UPDATE answers SET used = ? WHERE key = ? AND fingerprint = ?';
        for (const [key, fingerprint] of this.#used.values()) database.run(sql, now, key, fingerprint);
        work(database);
      });
      this.#used.clear();
    });
  }

  /** Strictly increasing, however fast the calls follow each other. */
  #now(): number {
    this.#latest = Math.max(Date.now(), this.#latest + 1);
    return this.#latest;
  }

  /** Removes a large part at once, so that it need not be repeated for the next answer. */
  #makeRoom(database: Database): void {
    let bytes = Number(database.all(`SELECT coalesce(sum(${bytesOfRow}), 0) AS n FROM answers`)[0]?.n);
    if (bytes <= this.#maxBytes) return;
    const wanted = this.#maxBytes * 0.75;
    const rows = database.all(
      `SELECT key, fingerprint, ${bytesOfRow} AS bytes FROM answers ORDER BY used, key, fingerprint`,
    );
    for (const row of rows) {
      if (bytes <= wanted) return;
      const sql = 'DELETE FROM answers WHERE key = ? AND fingerprint = ?';
      database.run(sql, textIn(row, 'key') ?? '', textIn(row, 'fingerprint') ?? '');
      bytes -= Number(row.bytes);
    }
  }

  #safely<T>(otherwise: T, work: (database: Database) => T): T {
    if (!this.#database) return otherwise;
    try {
      return work(this.#database);
    } catch (thrown) {
      this.#log.warning('cache.lost', {
        directory: this.#directory,
        code: 'storage/cache-lost',
        error: messageOf(thrown),
      });
      this.#database[Symbol.dispose]();
      this.#database = undefined;
      return otherwise;
    }
  }
}

class CacheLost extends Failure {
  readonly code = 'storage/cache-lost';
  readonly remedy = 'Restart the program; the log names the cause.';

  constructor() {
    super('the file of the reference cache can no longer be used');
  }
}

const fileName = 'refs.db';
const defaultMaxBytes = 64 * 1024 * 1024;
const bytesOfRow = 'length(key) + length(fingerprint) + length(value)';

/** A damaged file, or one with another schema, is replaced by an empty one. */
async function openOrRebuild(path: string, log: Log): Promise<Database> {
  try {
    return await openSound(path);
  } catch (thrown) {
    // A file that is locked by another process, or not accessible, is not touched.
    if (!isDamage(thrown)) throw thrown;
    log.warning('cache.rebuilt', { path, code: 'storage/cache-rebuilt', error: messageOf(thrown) });
    removeDatabase(path);
    return openSound(path);
  }
}

async function openSound(path: string): Promise<Database> {
  const database = await openDatabase(path);
  try {
    if (!holdsTogether(database)) throw new Damaged('the file is damaged');
    createTables(database);
    if (!hasOurTables(database)) throw new Damaged('the file has another schema');
    return database;
  } catch (thrown) {
    database[Symbol.dispose]();
    throw thrown;
  }
}

class Damaged extends Error {}

/** The two error messages of the engines for an unreadable file. */
function isDamage(thrown: unknown): boolean {
  return thrown instanceof Damaged || /not a database|malformed/.test(messageOf(thrown));
}

function removeDatabase(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) rmSync(file, { force: true });
}

function textIn(row: Row | undefined, column: string): string | undefined {
  const value = row?.[column];
  return typeof value === 'string' ? value : undefined;
}
