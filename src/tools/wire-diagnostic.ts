/**
 * A Diagnostic in the shape of LSP, as get_diagnostics returns it.
 *
 * Invariant: severities are numbers and positions zero-based, as in LSP; data that only the server can read is
 * omitted.
 */
import { type Diagnostic, protocolDiagnostic } from '../lsp/diagnostic.ts';

export function wireDiagnostic(diagnostic: Diagnostic): Readonly<Record<string, unknown>> {
  const { range, severity, code, source, message } = protocolDiagnostic(diagnostic);
  return {
    range,
    severity,
    ...(code !== undefined && { code }),
    ...(source !== undefined && { source }),
    message,
  };
}
