import type { LanguageServer } from '../lsp/language-server.ts';
import type { FileEvent } from '../workspace/file-event.ts';

/** Wire numbers of `workspace/didChangeWatchedFiles`. */
const wireKind = { created: 1, changed: 2, deleted: 3 } as const;

/** What happened to a file, told by its URI because it may lie outside the workspace. */
export interface OutsideEvent {
  readonly uri: string;
  readonly kind: FileEvent['kind'];
}

/** Tells a server which files are no longer what they were. */
export function notifyFileEvents(server: LanguageServer, events: readonly OutsideEvent[]): void {
  if (events.length === 0) return;
  server.notify('workspace/didChangeWatchedFiles', {
    changes: events.flatMap(({ uri, kind }) => wireKinds(kind).map((type) => ({ uri, type }))),
  });
}

/**
 * A file that another took the place of, as every careful writer does it, is seen as created. A server that
 * knows the file already reads it again only if it is told of a change as well, and first: what follows a
 * creation counts as part of it.
 */
function wireKinds(kind: FileEvent['kind']): readonly number[] {
  return kind === 'created' ? [wireKind.changed, wireKind.created] : [wireKind[kind]];
}
