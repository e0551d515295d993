/**
 * Keeps the disk state of one workspace in step with the disk.
 *
 * Invariant: watching begins before the first server reads a file, so no change falls between the two.
 */
import { abortable } from '../base/deadline.ts';
import type { Log } from '../base/log.ts';
import type { DiskState } from '../workspace/disk-state.ts';
import { WorkspaceWatcher } from '../workspace/watcher.ts';
import type { WorkspaceFolders } from './workspace-folders.ts';

/** The state that is kept in step with the disk. */
export interface WatchedState {
  readonly disk: DiskState;
  readonly folders: WorkspaceFolders;
  /** Ends watching when the workspace is closed. */
  readonly signal: AbortSignal;
}

export class DiskWatch implements AsyncDisposable {
  readonly #state: WatchedState;
  readonly #log: Log;
  #starting: Promise<WorkspaceWatcher> | undefined;
  #watcher: WorkspaceWatcher | undefined;
  /** The next scan; callers that arrive before it starts share it. */
  #next: Promise<void> | undefined;

  constructor(state: WatchedState, log: Log) {
    this.#state = state;
    this.#log = log;
  }

  /** Whether the disk was never scanned, or the last scan failed. */
  get isDiskStateUnknown(): boolean {
    return this.#watcher?.isDiskStateUnknown ?? true;
  }

  /** Starts to watch, once. */
  begin(): Promise<WorkspaceWatcher> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Reads every change that was made on disk before the call. Concurrent callers share a scan, which starts after the
   * last of them has called.
   */
  syncWithDisk(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#next ??= Promise.resolve().then(() => {
      this.#next = undefined;
      return this.#sync();
    });
    return abortable(this.#next, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const watcher = await this.#starting?.catch(() => undefined);
    await watcher?.[Symbol.asyncDispose]();
  }

  async #sync(): Promise<void> {
    const { disk, folders, signal } = this.#state;
    const watcher = await this.begin();
    await Promise.all([watcher.syncWithDisk(signal), folders.syncWithDisk(signal)]);
    disk.refresh();
  }

  async #start(): Promise<WorkspaceWatcher> {
    const { disk, signal } = this.#state;
    const watcher = await WorkspaceWatcher.start(disk.workspace, { log: this.#log }, signal);
    watcher.changes.subscribe((events) => disk.report(events));
    this.#watcher = watcher;
    return watcher;
  }
}
