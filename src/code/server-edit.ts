/**
 * Edits a server works out: a name changed everywhere, a file set in order.
 *
 * Invariant: an edit comes back in our columns and is only told, never made.
 */
import { encodeColumns, rangeDecoder } from '../lsp/columns.ts';
import { parseWorkspaceEdit, type WorkspaceEdit } from '../overlay/workspace-edit.ts';
import type { Range } from '../text/range.ts';
import type { TextEdit } from '../text/text-edit.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { askAt, type Place, placeParams, type Query } from './query.ts';

/** What changes when the name at a place becomes another; undefined where there is nothing to rename. */
export async function renameEdit(
  query: Query,
  { place, newName }: { readonly place: Place; readonly newName: string },
  signal: AbortSignal,
): Promise<WorkspaceEdit | undefined> {
  await query.dependents?.show(query, place, signal);
  const question = { provider: 'renameProvider', method: 'textDocument/rename', params: { newName } };
  const answer = await askAt(query, place, question, signal);
  if (answer === undefined || answer === null) return undefined;
  const edit = ownEdit(query, answer);
  return changedUris(edit).length > 0 ? edit : undefined;
}

/** What the server would rename at a place, in the protocol's own shape; null where it would not, or does not say. */
export async function renameTarget(query: Query, place: Place, signal: AbortSignal): Promise<unknown> {
  const { capabilities } = query.lease.server;
  const offers = [
    capabilities.raw.renameProvider,
    ...capabilities.registrations('textDocument/rename').map(({ options }) => options),
  ];
  const isOffered = offers.some(
    (offer) => typeof offer === 'object' && offer !== null && Reflect.get(offer, 'prepareProvider') === true,
  );
  if (!isOffered) return null;
  const { server } = query.lease;
  const answer = await server.request('textDocument/prepareRename', placeParams(query, place), {}, signal);
  return answer ?? null;
}

export interface FormatRequest {
  readonly path: WorkspacePath;
  /** Absent: the whole file. */
  readonly range?: Range;
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** What it takes to set a file, or a part of it, in order; nothing where it is, or the server does not format. */
export async function formatEdits(
  query: Query,
  { path, range, tabSize, insertSpaces }: FormatRequest,
  signal: AbortSignal,
): Promise<readonly TextEdit[]> {
  const { server } = query.lease;
  const provider = range ? 'documentRangeFormattingProvider' : 'documentFormattingProvider';
  if (!server.capabilities.has(provider)) return [];
  const uri = query.lease.uri(path);
  const params = {
    textDocument: { uri },
    options: { tabSize, insertSpaces },
    ...(range && { range: encodeColumns(server, uri, range) }),
  };
  const method = range ? 'textDocument/rangeFormatting' : 'textDocument/formatting';
  const answer = await server.request(method, params, {}, signal);
  return Array.isArray(answer) ? (ownEdit(query, { changes: { [uri]: answer } }).changes?.[uri] ?? []) : [];
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
