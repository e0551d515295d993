import type { WorkspacePath } from './workspace-path.ts';

/** A change of a file on disk. */
export interface FileEvent {
  readonly path: WorkspacePath;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/**
 * Adds an event to the pending ones, one per path: created and changed is created; deleted and created is changed;
 * created and deleted is reported as deleted, which is true in any case.
 */
export function joinEvent(untold: Map<WorkspacePath, FileEvent>, event: FileEvent): void {
  const before = untold.get(event.path)?.kind;
  const kind =
    before === 'deleted' && event.kind === 'created'
      ? 'changed'
      : before === 'created' && event.kind === 'changed'
        ? 'created'
        : event.kind;
  untold.set(event.path, { path: event.path, kind });
}
