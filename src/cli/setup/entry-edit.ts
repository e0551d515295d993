/** What is asked of a configuration format: to set our entry, to remove it, to show it. */
interface EntryEdit {
  readonly file: string;
  /** The object that holds one entry per server. */
  readonly key: string;
  readonly name: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface EntryRemoval {
  readonly file: string;
  readonly key: string;
  readonly isOurs: (name: string, entry: unknown) => boolean;
}

export interface ConfigFormat {
  /** The entry as it stands, undefined where there is none. */
  read(edit: EntryEdit, text: string): unknown;
  /** Fields of an existing entry that are not named stay as they are. */
  merge(edit: EntryEdit, text: string | undefined, fields: Fields): string;
  remove(removal: EntryRemoval, text: string): string;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
