/** One replacement: the characters from `start` up to `end` (UTF-16 offsets in the old text) become `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replacements made together: sorted, disjoint, all addressed in the old text. */
export type Change = readonly Splice[];
