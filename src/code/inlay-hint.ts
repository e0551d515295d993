import { encodeColumns } from '../lsp/columns.ts';
import type { Range } from '../text/range.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Query } from './query.ts';

/** What an editor would show between the words of a stretch of text, as the server writes it. */
export async function inlayHints(
  { lease }: Query,
  { path, range }: { readonly path: WorkspacePath; readonly range: Range },
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const { server } = lease;
  if (!server.capabilities.has('inlayHintProvider')) return [];
  const uri = lease.uri(path);
  const params = { textDocument: { uri }, range: encodeColumns(server, uri, range) };
  const answer = await server.request('textDocument/inlayHint', params, {}, signal);
  return Array.isArray(answer) ? answer : [];
}
