/** A symbol in lists of tool answers: its name, its file and the one-based line of its name. */
import type { NamedPlace } from '../../code/caller.ts';
import { fileOf } from '../formatted-location.ts';

export interface SymbolReference {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export function symbolReference({ name, uri, position }: NamedPlace): SymbolReference {
  return { name, file: fileOf(uri), line: position.line + 1 };
}
