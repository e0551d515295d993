/** `workspace/didChangeWatchedFiles`, written and parsed. */
import type { DidChangeWatchedFilesParams } from 'vscode-languageserver-protocol';
import { isRecord, itemsOf } from '../../base/record.ts';
import type { LanguageServer } from '../language-server.ts';

/** A change of a file, by its URI because it may lie outside the workspace. */
export interface WatchedFileEvent {
  readonly uri: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/** Notifies a server of changed files. */
export function notifyFileEvents(server: LanguageServer, events: readonly WatchedFileEvent[]): void {
  if (events.length === 0) return;
  const changes = events.flatMap(({ uri, kind }) => typesOf(kind).map((type) => ({ uri, type })));
  server.notify('workspace/didChangeWatchedFiles', { changes } satisfies DidChangeWatchedFilesParams);
}

/** The events of such a notification; a malformed entry is omitted. */
export function watchedFileEvents(params: unknown): readonly WatchedFileEvent[] {
  return itemsOf(isRecord(params) ? params.changes : undefined).flatMap((change) => {
    if (!isRecord(change) || typeof change.uri !== 'string') return [];
    const kind = typeof change.type === 'number' ? kinds[change.type] : undefined;
    return kind === undefined ? [] : [{ uri: change.uri, kind }];
  });
}

const kinds: readonly (WatchedFileEvent['kind'] | undefined)[] = [undefined, 'created', 'changed', 'deleted'];

const types = { created: 1, changed: 2, deleted: 3 } as const;

/**
 * Replacing a file by a rename looks like a creation. A server that already knows the file reads it again only if a
 * change is reported as well, and first: events after a creation count as part of it.
 */
function typesOf(kind: WatchedFileEvent['kind']): readonly (1 | 2 | 3)[] {
  return kind === 'created' ? [types.changed, types.created] : [types[kind]];
}
