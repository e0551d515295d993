/**
 * Edits computed by a server: renames and formatting.
 *
 * Invariant: an edit is returned in our columns and never applied.
 */
import { rangeDecoder } from '../lsp/document.ts';
import { type FormattingRequest, formatting } from '../lsp/feature/formatting.ts';
import { rename } from '../lsp/feature/rename.ts';
import { parseWorkspaceEdit, type WorkspaceEdit } from '../overlay/workspace-edit.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { type Place, positionOn, type Query } from './query.ts';

/** The edit that renames the symbol at a position; undefined if there is nothing to rename. */
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

/** The edits that format a file or a part of it; empty if it is formatted or the server has no formatter. */
export async function formatEdits(
  query: Query,
  { path, ...request }: FormatRequest,
  signal: AbortSignal,
): Promise<readonly TextEdit[]> {
  const uri = query.lease.uri(path);
  const edits = await formatting(query.lease.server, { uri, ...request }, signal);
  return ownEdit(query, { changes: { [uri]: edits } }).changes?.[uri] ?? [];
}

/** A server's edit in our columns. */
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

/** The files that an edit changes, creates, moves or deletes, by their current names. */
export function changedUris({ changes, documentChanges }: WorkspaceEdit): readonly string[] {
  const uris = documentChanges
    ? documentChanges.flatMap((change) => {
        if (!('kind' in change)) return change.edits.length > 0 ? [change.textDocument.uri] : [];
        return change.kind === 'rename' ? [change.oldUri] : [change.uri];
      })
    : Object.entries(changes ?? {}).flatMap(([uri, edits]) => (edits.length > 0 ? [uri] : []));
  return [...new Set(uris)];
}

/** The number of text edits in an edit. */
export function locationCount({ changes, documentChanges }: WorkspaceEdit): number {
  const lists = documentChanges
    ? documentChanges.map((change) => ('kind' in change ? [] : change.edits))
    : Object.values(changes ?? {});
  return lists.reduce((sum, edits) => sum + edits.length, 0);
}

/** The edit without its changes to some files. */
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
