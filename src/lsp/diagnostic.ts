import type { Range } from '../text/range.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** What a language server says about a stretch of text, in our own words; positions are UTF-16. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string;
  readonly code?: string | number;
}
