import type { LanguageServer } from '../lsp/language-server.ts';
import type { FileEvent } from '../workspace/watcher.ts';

/** Wire numbers of `workspace/didChangeWatchedFiles`. */
const wireKind = { created: 1, changed: 2, deleted: 3 } as const;

/** Tells a server which files are no longer what they were. */
export function notifyFileEvents(
  server: LanguageServer,
  events: readonly { readonly uri: string; readonly kind: FileEvent['kind'] }[],
): void {
  if (events.length === 0) return;
  server.notify('workspace/didChangeWatchedFiles', {
    changes: events.map(({ uri, kind }) => ({ uri, type: wireKind[kind] })),
  });
}
