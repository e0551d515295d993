/** Changes of files as clients report them to servers, written and read. */
import type { DidChangeWatchedFilesParams } from 'vscode-languageserver-protocol';
import { isRecord } from '../../base/record.ts';
import { itemsOf } from '../internal/json.ts';
import type { LanguageServer } from '../language-server.ts';

/** What happened to a file, by its URI because it may lie outside the workspace. */
export interface WatchedFileEvent {
  readonly uri: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/** Reports to a server which files have changed. */
export function notifyFileEvents(server: LanguageServer, events: readonly WatchedFileEvent[]): void {
  if (events.length === 0) return;
  const changes = events.flatMap(({ uri, kind }) => typesOf(kind).map((type) => ({ uri, type })));
  server.notify('workspace/didChangeWatchedFiles', { changes } satisfies DidChangeWatchedFilesParams);
}

/** The events of such a notification; an entry that cannot be read is left out. */
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
 * A file that another one replaced, as every careful writer does it, is seen as created. A server that knows the file
 * already reads it again only if a change is reported as well, and first: what follows a creation counts as part of it.
 */
function typesOf(kind: WatchedFileEvent['kind']): readonly (1 | 2 | 3)[] {
  return kind === 'created' ? [types.changed, types.created] : [types[kind]];
}
