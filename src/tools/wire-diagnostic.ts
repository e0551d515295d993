/**
 * A Diagnostic in the shape of the language server protocol, which get_diagnostics answers in.
 *
 * Invariant: severities are numbers and positions zero-based, as the protocol writes them.
 */
import type { Diagnostic, Severity } from '../lsp/diagnostic.ts';

const severityNumbers: Readonly<Record<Severity, number>> = { error: 1, warning: 2, info: 3, hint: 4 };

export function wireDiagnostic(diagnostic: Diagnostic): Readonly<Record<string, unknown>> {
  const { range, severity, code, source, message } = diagnostic;
  return {
    range,
    severity: severityNumbers[severity],
    ...(code !== undefined && { code }),
    ...(source !== undefined && { source }),
    message,
  };
}
