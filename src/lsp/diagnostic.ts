import type { Range } from '../text/range.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** What a language server says about a stretch of text, in our own words; positions are UTF-16. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string;
  readonly code?: string | number;
  readonly tags?: readonly DiagnosticTag[];
  /** Other places that explain it. */
  readonly related?: readonly RelatedPlace[];
  /** What the server wants back, untouched, when it is asked to fix this; no part of what it says. */
  readonly data?: unknown;
}

/** `unnecessary` is code that does nothing and could go, `deprecated` code that should be replaced. */
export type DiagnosticTag = 'unnecessary' | 'deprecated';

export interface RelatedPlace {
  readonly uri: string;
  /** In the columns of the server: the text of another document is not at hand. */
  readonly range: Range;
  readonly message: string;
}
