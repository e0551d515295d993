/**
 * Our entry in a client's configuration, in any format.
 *
 * Invariant: only our entry changes; comments, other keys, order and line endings stay.
 */
import { basename } from 'node:path';
import type { ConfigPlace } from './client-target.ts';
import { type ConfigFormat, type EntryRemoval, type Fields, isFields } from './entry-edit.ts';
import { jsonConfig } from './json-config.ts';
import { tomlConfig } from './toml-config.ts';

const entryName = 'forerun';

/** An earlier name of our entry; it is ours only if it starts this program. */
const formerName = 'lsp';

const formats: Readonly<Record<ConfigPlace['format'], ConfigFormat>> = { json: jsonConfig, toml: tomlConfig };

export interface ConfigFile {
  readonly file: string;
  readonly place: Pick<ConfigPlace, 'format' | 'key'>;
}

export interface EntryRequest {
  readonly fields: Fields;
  /** Whether an existing list that begins with ours is kept, for example because the user added a flag. */
  readonly lists: 'keep longer' | 'replace';
}

/** The text with our entry. */
export function mergeEntry(
  { file, place }: ConfigFile,
  text: string | undefined,
  request: EntryRequest,
): string {
  const format = formats[place.format];
  const edit = { file, key: place.key, name: entryName };
  if (text === undefined) return format.merge(edit, text, request.fields);
  const cleared = format.remove({ file, key: place.key, isOurs: isFormer }, text);
  const existing = format.read(edit, cleared);
  const fields = Object.entries(request.fields).filter(
    ([name, value]) =>
      request.lists === 'replace' || !(isFields(existing) && beginsWith(existing[name], value)),
  );
  return format.merge(edit, cleared, Object.fromEntries(fields));
}

/** The text without our entry; undefined if nothing else is left. */
export function removeEntry({ file, place }: ConfigFile, text: string): string | undefined {
  const isOurs: EntryRemoval['isOurs'] = (name, entry) => name === entryName || isFormer(name, entry);
  const left = formats[place.format].remove({ file, key: place.key, isOurs }, text);
  return left === text || !isHusk(left, place.key) ? left : undefined;
}

function beginsWith(existing: unknown, ours: unknown): boolean {
  return (
    Array.isArray(existing) && Array.isArray(ours) && ours.every((word, index) => existing[index] === word)
  );
}

function isFormer(name: string, entry: unknown): boolean {
  if (name !== formerName || !isFields(entry)) return false;
  const words: readonly unknown[] = [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])];
  return words.some((word) => typeof word === 'string' && programName(word) === entryName);
}

function programName(word: string): string {
  return basename(word).replace(/\.(js|cmd|exe)$/, '');
}

/** Empty, or an empty table of servers and nothing else. */
function isHusk(text: string, key: string): boolean {
  return ['', '{}', `{"${key}":{}}`, `[${key}]`].includes(text.replace(/\s+/g, ''));
}
