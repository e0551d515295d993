/** The operations of a configuration format: set, remove and read our entry. */
interface EntryEdit {
  readonly file: string;
  /** The object with one entry per server. */
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
  /** The current entry; undefined if there is none. */
  read(edit: EntryEdit, text: string): unknown;
  /** Other fields of an existing entry are kept. */
  merge(edit: EntryEdit, text: string | undefined, fields: Fields): string;
  remove(removal: EntryRemoval, text: string): string;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
