/**
 * A file under another name, with the imports that lead to it.
 *
 * Invariant: the server is asked before the file moves, under the view that shows it at its old name.
 */
import { willRenameFiles } from '../lsp/feature/file-rename.ts';
import type { WorkspaceEdit } from '../overlay/workspace-edit.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Query } from './query.ts';
import { ownEdit } from './server-edit.ts';

export interface FileMove {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/** What the server changes because files get other names; undefined if it changes nothing. */
export async function fileRenameEdit(
  query: Query,
  moves: readonly FileMove[],
  signal: AbortSignal,
): Promise<WorkspaceEdit | undefined> {
  const { lease } = query;
  await lease.include('everything');
  const files = moves.map(({ from, to }) => ({ oldUri: lease.uri(from), newUri: lease.uri(to) }));
  const answer = await willRenameFiles(lease.server, files, signal);
  return answer === undefined ? undefined : ownEdit(query, answer);
}
