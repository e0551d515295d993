/**
 * Opening files so that the server has read them before it is asked about anything else.
 *
 * Some servers take documents in on their own time, and answer questions about the workspace before they
 * have; the outline of a file is only given by one who has read it.
 *
 * Invariant: when this resolves, the server has read the files, or has no way to show it.
 */
import type { Lease } from '../servers/lease.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export async function openAndRead(
  lease: Lease,
  paths: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<void> {
  await lease.open(paths);
  if (!lease.server.capabilities.has('documentSymbolProvider')) return;
  await Promise.all(
    paths.map((path) => {
      const params = { textDocument: { uri: lease.uri(path) } };
      return lease.server.request('textDocument/documentSymbol', params, {}, signal);
    }),
  );
}
