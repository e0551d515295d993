import type { Diagnostic } from './diagnostic.ts';

/** The answer to a question about one document, for the text the server had when it was asked. */
export interface PulledDiagnostics {
  readonly items: readonly Diagnostic[];
  /** What the server found in other documents on the way, by canonical URI. */
  readonly related: ReadonlyMap<string, readonly Diagnostic[]>;
}
