/**
 * Our entry in a client's configuration, in any format.
 *
 * Invariant: only our entry changes; comments, other keys, order and line endings stay.
 */
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ClientEntry, ConfigPlace } from './client-target.ts';
import { type ConfigFormat, type EntryRemoval, type Fields, isFields } from './entry-edit.ts';
import { jsonConfig } from './json-config.ts';
import { tomlConfig } from './toml-config.ts';
import { yamlConfig, yamlListConfig } from './yaml-config.ts';

/** The key of our server in every client; the skills name our tools by it. */
export const entryName = 'forerun';

/** An earlier name of our entry; it is ours only if it starts this program. */
const formerName = 'lsp';

const formats: Readonly<Record<ConfigPlace['format'], ConfigFormat>> = {
  json: jsonConfig,
  toml: tomlConfig,
  yaml: yamlConfig,
  'yaml-list': yamlListConfig,
};

export interface ConfigFile {
  readonly file: string;
  readonly place: Pick<ConfigPlace, 'format' | 'key'>;
}

export interface EntryRequest extends ClientEntry {
  /**
   * An existing entry that agrees with these fields, its lists longer or not, keeps them: the user may have added an
   * option. Absent: the fields replace what is there.
   */
  readonly kept?: Fields;
}

/** The text with our entry. */
export function mergeEntry(
  { file, place }: ConfigFile,
  text: string | undefined,
  { fields, initial = {}, kept }: EntryRequest,
): string {
  const format = formats[place.format];
  const edit = { file, key: place.key, name: entryName };
  const whole = { ...fields, ...initial };
  if (text === undefined) return format.merge(edit, text, whole);
  const cleared = format.remove({ file, key: place.key, isOurs: isFormer }, text);
  const existing = format.read(edit, cleared);
  if (!isFields(existing)) return format.merge(edit, cleared, whole);
  const isKept =
    kept !== undefined && Object.keys(kept).every((name) => beginsWith(existing[name], kept[name]));
  const wanted = Object.entries(fields).filter(([name]) => !(isKept && name in existing));
  const missing = Object.entries(initial).filter(([name]) => !(name in existing));
  return format.merge(edit, cleared, Object.fromEntries([...wanted, ...missing]));
}

/** Whether our entry is there. */
export function hasEntry({ file, place }: ConfigFile, text: string): boolean {
  return formats[place.format].read({ file, key: place.key, name: entryName }, text) !== undefined;
}

/** The text without our entry; undefined if nothing else is left. */
export function removeEntry({ file, place }: ConfigFile, text: string): string | undefined {
  const isOurs: EntryRemoval['isOurs'] = (name, entry) => name === entryName || isFormer(name, entry);
  const left = formats[place.format].remove({ file, key: place.key, isOurs }, text);
  return left === text || !isHusk(left, place.key) ? left : undefined;
}

/** Equal, or a list that begins with ours. */
function beginsWith(existing: unknown, ours: unknown): boolean {
  if (!Array.isArray(ours)) return isDeepStrictEqual(existing, ours);
  return Array.isArray(existing) && ours.every((word, index) => existing[index] === word);
}

function isFormer(name: string, entry: unknown): boolean {
  if (name !== formerName || !isFields(entry)) return false;
  const words: readonly unknown[] = [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])];
  return words.some((word) => typeof word === 'string' && programName(word) === entryName);
}

function programName(word: string): string {
  return basename(word).replace(/\.(js|cmd|exe)$/, '');
}

/** Empty, or an empty collection of servers and nothing else. */
function isHusk(text: string, key: string): boolean {
  return ['', '{}', `{"${key}":{}}`, `[${key}]`].includes(text.replace(/\s+/g, ''));
}
