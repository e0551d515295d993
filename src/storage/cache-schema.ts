/**
 * How the reference cache is laid out.
 *
 * Invariant: a database that has any other table, view, trigger or column than these is not one of ours.
 */
import type { Database } from './database.ts';

/** Grows with every change to the tables, or to what is written into them. */
const schemaVersion = '1';

const tables: Readonly<Record<string, string>> = {
  meta: 'CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  answers:
    'CREATE TABLE answers (key TEXT NOT NULL, fingerprint TEXT NOT NULL, value TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (key, fingerprint)) WITHOUT ROWID',
  facts:
    'CREATE TABLE facts (family TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (family, path)) WITHOUT ROWID',
  programs: 'CREATE TABLE programs (program TEXT PRIMARY KEY, version TEXT NOT NULL) WITHOUT ROWID',
};

/** Lays out a database that is still empty; any other is left as it is. */
export function createTables(database: Database): void {
  if (database.all('SELECT name FROM sqlite_master').length > 0) return;
  database.transaction(() => {
    // Another process may have been first.
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

/** A quick look at the structure of the file; `integrity_check` in place of it looks at every row. */
export function holdsTogether(
  database: Database,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): boolean {
  const found = database.all(`PRAGMA ${check}(1)`);
  return found.length === 1 && Object.values(found[0] ?? {})[0] === 'ok';
}
