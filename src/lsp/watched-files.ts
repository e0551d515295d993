/** What a client says has happened to files, read off the wire. */
import { isRecord, itemsOf } from './internal/json.ts';

export interface WatchedFileEvent {
  readonly uri: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/** The events of `workspace/didChangeWatchedFiles`; an entry that cannot be read is left out. */
export function watchedFileEvents(params: unknown): readonly WatchedFileEvent[] {
  return itemsOf(isRecord(params) ? params.changes : undefined).flatMap((change) => {
    if (!isRecord(change) || typeof change.uri !== 'string') return [];
    const kind = typeof change.type === 'number' ? kinds[change.type] : undefined;
    return kind === undefined ? [] : [{ uri: change.uri, kind }];
  });
}

const kinds: readonly (WatchedFileEvent['kind'] | undefined)[] = [undefined, 'created', 'changed', 'deleted'];
