/**
 * Edits a server works out: a name changed everywhere, a file set in order.
 *
 * Invariant: an edit comes back in our columns and is only told, never made.
 */
import { rangeDecoder } from '../lsp/columns.ts';
import { type FormattingRequest, formatting } from '../lsp/feature/formatting.ts';
import { rename } from '../lsp/feature/rename.ts';
import { parseWorkspaceEdit, type WorkspaceEdit } from '../overlay/workspace-edit.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { type Place, positionOn, type Query } from './query.ts';

/** What changes when the name at a place becomes another; undefined where there is nothing to rename. */
export async function renameEdit(
  query: Query,
  { place, newName }: { readonly place: Place; readonly newName: string },
  signal: AbortSignal,
): Promise<WorkspaceEdit | undefined> {
  await query.dependents?.show(query, place, signal);
  const answer = await rename(query.lease.server, positionOn(query, place), newName, signal);
  if (answer === undefined) return undefined;
  const edit = ownEdit(query, answer);
  return changedUris(edit).length > 0 ? edit : undefined;
}

export type FormatRequest = Omit<FormattingRequest, 'uri'> & { readonly path: WorkspacePath };

/** What it takes to set a file, or a part of it, in order; nothing where it is, or the server does not format. */
export async function formatEdits(
  query: Query,
  { path, ...request }: FormatRequest,
  signal: AbortSignal,
): Promise<readonly TextEdit[]> {
  const uri = query.lease.uri(path);
  const edits = await formatting(query.lease.server, { uri, ...request }, signal);
  return ownEdit(query, { changes: { [uri]: edits } }).changes?.[uri] ?? [];
}

/** An edit as the server sent it, in our columns. */
export function ownEdit({ lease }: Query, answer: unknown): WorkspaceEdit {
  const { changes, documentChanges } = parseWorkspaceEdit(answer);
  const decoded = (uri: string, edits: readonly TextEdit[]): readonly TextEdit[] => {
    const decode = rangeDecoder(lease.server, uri);
    return edits.map(({ range, newText }) => ({ range: decode(range), newText }));
  };
  if (documentChanges) {
    return {
      documentChanges: documentChanges.map((change) =>
        'kind' in change ? change : { ...change, edits: decoded(change.textDocument.uri, change.edits) },
      ),
    };
  }
  return {
    changes: Object.fromEntries(
      Object.entries(changes ?? {}).map(([uri, edits]) => [uri, decoded(uri, edits)]),
    ),
  };
}

/** The files an edit changes, creates, moves or deletes, by the names they have now. */
export function changedUris({ changes, documentChanges }: WorkspaceEdit): readonly string[] {
  const uris = documentChanges
    ? documentChanges.flatMap((change) => {
        if (!('kind' in change)) return change.edits.length > 0 ? [change.textDocument.uri] : [];
        return change.kind === 'rename' ? [change.oldUri] : [change.uri];
      })
    : Object.entries(changes ?? {}).flatMap(([uri, edits]) => (edits.length > 0 ? [uri] : []));
  return [...new Set(uris)];
}

/** How many places of text an edit changes. */
export function locationCount({ changes, documentChanges }: WorkspaceEdit): number {
  const lists = documentChanges
    ? documentChanges.map((change) => ('kind' in change ? [] : change.edits))
    : Object.values(changes ?? {});
  return lists.reduce((sum, edits) => sum + edits.length, 0);
}

/** The edit without what it does to some files. */
export function withoutFiles(edit: WorkspaceEdit, isExcluded: (uri: string) => boolean): WorkspaceEdit {
  const { changes, documentChanges } = edit;
  if (!documentChanges) {
    const kept = Object.entries(changes ?? {}).filter(([uri]) => !isExcluded(uri));
    return { changes: Object.fromEntries(kept) };
  }
  return {
    documentChanges: documentChanges.filter((change) => {
      if (!('kind' in change)) return !isExcluded(change.textDocument.uri);
      return !isExcluded(change.kind === 'rename' ? change.oldUri : change.uri);
    }),
  };
}
