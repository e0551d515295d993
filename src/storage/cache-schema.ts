/**
 * The schema of the reference cache.
 *
 * Invariant: a database with any other table, view, trigger or column is not ours.
 */
import type { Database } from './database.ts';

/** Incremented with every change to the tables, or to the data in them. */
const schemaVersion = '1';

const tables: Readonly<Record<string, string>> = {
  meta: 'CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  answers:
    'CREATE TABLE answers (key TEXT NOT NULL, fingerprint TEXT NOT NULL, value TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (key, fingerprint)) WITHOUT ROWID',
  facts:
    'CREATE TABLE facts (family TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (family, path)) WITHOUT ROWID',
  programs: 'CREATE TABLE programs (program TEXT PRIMARY KEY, version TEXT NOT NULL) WITHOUT ROWID',
};

/** Creates the tables of an empty database; any other is unchanged. */
export function createTables(database: Database): void {
  if (database.all('SELECT name FROM sqlite_master').length > 0) return;
  database.transaction(() => {
    // Another process may have created them.
    if (database.all('SELECT name FROM sqlite_master').length > 0) return;
    for (const sql of Object.values(tables)) database.exec(sql);
    database.run('INSERT INTO meta (name, value) VALUES (?, ?)', 'schema_version', schemaVersion);
  });
}

export function hasOurTables(database: Database): boolean {
  const found = database.all('SELECT name, sql FROM sqlite_master ORDER BY name');
  const wanted = Object.keys(tables).sort();
  if (found.length !== wanted.length) return false;
  if (!found.every(({ name, sql }, at) => name === wanted[at] && sql === tables[String(name)])) return false;
  const [version] = database.all('SELECT value FROM meta WHERE name = ?', 'schema_version');
  return version?.value === schemaVersion;
}

/** A quick check of the file's structure; `integrity_check` instead checks every row. */
export function holdsTogether(
  database: Database,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): boolean {
  const found = database.all(`PRAGMA ${check}(1)`);
  return found.length === 1 && Object.values(found[0] ?? {})[0] === 'ok';
}
