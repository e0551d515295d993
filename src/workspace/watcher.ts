import type { AsyncSubscription, Event } from '@parcel/watcher';
import { Channel } from '../base/channel.ts';
import { messageOf } from '../base/failure.ts';
import type { Log } from '../base/log.ts';
import { IgnoreRules, ignoredGlobs } from './ignore-rules.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspacePath } from './workspace-path.ts';

/** Something happened to a path on disk. */
export interface FileEvent {
  readonly path: WorkspacePath;
  readonly kind: 'created' | 'changed' | 'deleted';
}

/**
 * Tells what changes on disk inside a workspace, ignored directories left out.
 *
 * Invariant: `epoch` has grown before a listener hears of the change that made it grow, and a batch names
 * a path once. Where the system offers no watching, `isWatching` is false and the program goes on without.
 */
export class WorkspaceWatcher implements AsyncDisposable {
  readonly changes = new Channel<readonly FileEvent[]>();
  readonly #workspace: Workspace;
  readonly #log: Log;
  readonly #rules: IgnoreRules;
  #epoch = 0;
  #subscription: AsyncSubscription | undefined;

  private constructor(workspace: Workspace, log: Log) {
    this.#workspace = workspace;
    this.#log = log;
    this.#rules = new IgnoreRules(workspace);
  }

  static async start(workspace: Workspace, log: Log, signal: AbortSignal): Promise<WorkspaceWatcher> {
    const watcher = new WorkspaceWatcher(workspace, log);
    await watcher.#subscribe();
    if (signal.aborted) {
      await watcher[Symbol.asyncDispose]();
      signal.throwIfAborted();
    }
    return watcher;
  }

  get isWatching(): boolean {
    return this.#subscription !== undefined;
  }

  /** Grows with every batch of changes, so what was computed at one epoch is known to be current or not. */
  get epoch(): number {
    return this.#epoch;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const subscription = this.#subscription;
    this.#subscription = undefined;
    // A directory that is gone has taken the watching of it along.
    await subscription?.unsubscribe().catch((thrown: unknown) => {
      this.#log.debug('workspace.unwatch-failed', {
        code: 'workspace/unwatch-failed',
        reason: messageOf(thrown),
      });
    });
  }

  async #subscribe(): Promise<void> {
    try {
      // Loaded here because the native part costs more than most runs of the program ever need.
      const { subscribe } = await import('@parcel/watcher');
      this.#subscription = await subscribe(
        this.#workspace.root,
        (error, events) => this.#hear(error, events),
        { ignore: [...ignoredGlobs] },
      );
    } catch (thrown) {
      this.#log.warning('workspace.unwatched', { code: 'workspace/unwatched', reason: messageOf(thrown) });
    }
  }

  #hear(error: Error | null, events: readonly Event[]): void {
    if (error !== null) {
      // Events may have been lost, so everything computed before is in doubt.
      this.#epoch++;
      this.#log.warning('workspace.watch-failed', { code: 'workspace/watch-failed', reason: error.message });
      this.changes.emit([]);
      return;
    }
    const batch = this.#batch(events);
    if (batch.length === 0) return;
    this.#epoch++;
    this.changes.emit(batch);
  }

  #batch(events: readonly Event[]): readonly FileEvent[] {
    const byPath = new Map<WorkspacePath, FileEvent>();
    for (const event of events) {
      const path = this.#workspace.path(event.path);
      if (path === '' || this.#rules.ignores(path)) continue;
      byPath.set(path, { path, kind: joinKinds(byPath.get(path)?.kind, event.type) });
    }
    return [...byPath.values()];
  }
}

/** Two events of one batch seen as one: a file that came and changed came; one that went and came changed. */
function joinKinds(first: FileEvent['kind'] | undefined, next: Event['type']): FileEvent['kind'] {
  if (next === 'delete') return 'deleted';
  if (first === 'deleted') return 'changed';
  if (first === 'created' || next === 'create') return first ?? 'created';
  return 'changed';
}
