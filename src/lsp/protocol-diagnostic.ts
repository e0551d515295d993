/**
 * A Diagnostic in the form of the protocol, for requests about it.
 *
 * Invariant: `data` is sent back to the server unchanged.
 */
import type { Range } from '../text/position.ts';
import type { Diagnostic, DiagnosticTag, Severity } from './diagnostic.ts';

export interface ProtocolDiagnostic {
  readonly range: Range;
  readonly severity: number;
  readonly code?: string | number;
  readonly source?: string;
  readonly message: string;
  readonly tags?: readonly number[];
  readonly relatedInformation?: readonly unknown[];
  readonly data?: unknown;
}

export function protocolDiagnostic(diagnostic: Diagnostic): ProtocolDiagnostic {
  const { range, severity, code, source, message, tags, related, data } = diagnostic;
  return {
    range,
    severity: severityNumbers[severity],
    ...(code !== undefined && { code }),
    ...(source !== undefined && { source }),
    message,
    ...(tags && { tags: tags.map((tag) => tagNumbers[tag]) }),
    ...(related && {
      relatedInformation: related.map((place) => ({
        location: { uri: place.uri, range: place.range },
        message: place.message,
      })),
    }),
    ...(data !== undefined && { data }),
  };
}

const severityNumbers: Readonly<Record<Severity, number>> = { error: 1, warning: 2, info: 3, hint: 4 };

const tagNumbers: Readonly<Record<DiagnosticTag, number>> = { unnecessary: 1, deprecated: 2 };
