/**
 * A Diagnostic in the shape of the language server protocol, which get_diagnostics answers in.
 *
 * Invariant: severities are numbers and positions zero-based, as the protocol writes them; what only the
 * server itself can read is left out.
 */
import type { Diagnostic } from '../lsp/diagnostic.ts';
import { protocolDiagnostic } from '../lsp/protocol-diagnostic.ts';

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
