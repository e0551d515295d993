import type { Range } from '../text/position.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** A diagnostic of a language server, in our own type; positions are UTF-16. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string;
  readonly code?: string | number;
  readonly tags?: readonly DiagnosticTag[];
  /** Other locations that explain it. */
  readonly related?: readonly RelatedPlace[];
  /** Sent back to the server unchanged in requests about this diagnostic; not part of its meaning. */
  readonly data?: unknown;
}

/** `unnecessary` code has no effect and can be removed, `deprecated` code should be replaced. */
export type DiagnosticTag = 'unnecessary' | 'deprecated';

export interface RelatedPlace {
  readonly uri: string;
  /** In the columns of the server, because the text of the other document is not available. */
  readonly range: Range;
  readonly message: string;
}
