import type { WorkspacePath } from './workspace-path.ts';

/** Something happened to a file on disk. */
export interface FileEvent {
  readonly path: WorkspacePath;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/**
 * Adds an event to those not told yet, one to a path: a file that came and changed came; one that went and came
 * back changed; one that came and went is told as gone, which is true either way.
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
