/**
 * A small SQL database in a file of ours.
 *
 * Node's own engine is used if there is one, otherwise the one bundled with this package; neither is loaded before a
 * database is opened.
 *
 * Invariants: several processes may open one database, since it uses a write-ahead log and waits for locks; a
 * transaction is stored completely or not at all, whenever the process ends.
 */
import { Failure, messageOf } from '../base/failure.ts';

export type SqlValue = string | number;
export type Row = Readonly<Record<string, unknown>>;

export interface Database extends Disposable {
  /** Runs statements without parameters or results. */
  exec(sql: string): void;
  run(sql: string, ...values: readonly SqlValue[]): void;
  all(sql: string, ...values: readonly SqlValue[]): readonly Row[];
  /** Runs `work` in a transaction, which is rolled back if it throws. */
  transaction<T>(work: () => T): T;
}

export class DatabaseUnusable extends Failure {
  readonly code = 'storage/database-unusable';
  readonly remedy = 'Make the directory of the database writable; deleting the database is safe.';
}

export async function openDatabase(path: string): Promise<Database> {
  const open = new OpenDatabase(engineAt(await loadEngine(), path));
  try {
    // First of all: a process that finds the file locked waits instead of failing.
    open.all(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    // Set only if necessary: changing the mode requires that no other process has the file open.
    const isLogged = (): boolean => open.all('PRAGMA journal_mode')[0]?.journal_mode === 'wal';
    if (!isLogged()) open.all('PRAGMA journal_mode = WAL');
    if (!isLogged()) throw new Error('the file system does not support a write-ahead log');
    open.exec('PRAGMA synchronous = NORMAL');
    return open;
  } catch (thrown) {
    open[Symbol.dispose]();
    throw new DatabaseUnusable(`cannot use ${path}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

const busyTimeoutMs = 5000;

class OpenDatabase implements Database {
  readonly #engine: Engine;
  readonly #statements = new Map<string, Statement>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  exec(sql: string): void {
    this.#engine.exec(sql);
  }

  run(sql: string, ...values: readonly SqlValue[]): void {
    this.#prepared(sql).run(...values);
  }

  all(sql: string, ...values: readonly SqlValue[]): readonly Row[] {
    return this.#prepared(sql)
      .all(...values)
      .filter(isRow);
  }

  transaction<T>(work: () => T): T {
    // Acquires the write lock at once: a transaction that begins with a read cannot wait for it later.
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (thrown) {
      this.exec('ROLLBACK');
      throw thrown;
    }
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#engine.close();
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#engine.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

/** The common interface of the two engines. */
interface Engine {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): unknown;
}

interface Statement {
  run(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): readonly unknown[];
}

type OpenEngine = (path: string) => Engine;

async function loadEngine(): Promise<OpenEngine> {
  const own = process.getBuiltinModule('node:sqlite');
  if (isOwnEngine(own)) return (path) => new own.DatabaseSync(path);
  try {
    const { default: Libsql } = await import('libsql');
    return (path) => {
      const database = new Libsql(path);
      return {
        exec: (sql) => database.exec(sql),
        prepare: (sql) => database.prepare<SqlValue[]>(sql),
        close: () => database.close(),
      };
    };
  } catch (thrown) {
    throw new DatabaseUnusable(`no database engine for this machine: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

function engineAt(openEngine: OpenEngine, path: string): Engine {
  try {
    return openEngine(path);
  } catch (thrown) {
    throw new DatabaseUnusable(`cannot open ${path}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function isOwnEngine(
  module: object | undefined,
): module is { readonly DatabaseSync: new (path: string) => Engine } {
  return module !== undefined && 'DatabaseSync' in module && typeof module.DatabaseSync === 'function';
}

function isRow(row: unknown): row is Row {
  return typeof row === 'object' && row !== null;
}
